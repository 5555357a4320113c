import { answered, api } from "../api/client.ts";
import { failureOf, Unreachable } from "../api/failure.ts";
import type { CaptureStep, DocumentKind, Handoff, LivenessPath, Opened, Peeked, Task } from "../api/wire.ts";
import type { Run } from "./liveness/record.ts";

/** Version of the consent text in src/i18n. Change it with the words, so that what was agreed to can be shown later. */
export const consentVersion = "biometric-2026-11-2";

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export const calls = {
  peek: (link: string): Promise<Peeked> => answered(api.POST("/v1/applicant/peek", { body: { link } })),
  open: (link: string): Promise<Opened> => answered(api.POST("/v1/applicant/open", { body: { link } })),
  task: (token: string): Promise<Task> => answered(api.GET("/v1/applicant/task", bearer(token))),
  consent: (token: string, decision: "given" | "declined", locale: string): Promise<Task> =>
    answered(
      api.POST("/v1/applicant/consent", { ...bearer(token), body: { decision, text_version: consentVersion, locale } }),
    ),
  choose: (token: string, document_kind: DocumentKind): Promise<Task> =>
    answered(api.PUT("/v1/applicant/steps/choose", { ...bearer(token), body: { document_kind } })),
  liveness: (token: string, path: LivenessPath): Promise<Task> =>
    answered(api.POST("/v1/applicant/liveness", { ...bearer(token), body: { path } })),
  handOver: (token: string): Promise<Handoff> =>
    answered(api.POST("/v1/applicant/handoff", { ...bearer(token), body: {} })),
  keepHere: (token: string): Promise<Task> => answered(api.DELETE("/v1/applicant/handoff", bearer(token))),
  handBack: async (token: string): Promise<void> => {
    await answered(
      api.POST("/v1/applicant/handoff/back", { ...bearer(token), body: {}, parseAs: "text" }).then((answer) => ({
        ...answer,
        data: answer.response.ok ? true : undefined, // it answers with nothing
      })),
    );
  },
  simulate: (token: string): Promise<Task> =>
    answered(api.POST("/v1/applicant/simulate", { ...bearer(token), body: {} })),
  withdraw: (token: string): Promise<Task> =>
    answered(api.POST("/v1/applicant/withdraw", { ...bearer(token), body: {} })),
};

/** What answers a step: one picture, or the frames that answer a challenge. */
export type Answer = { picture: Blob } | { challenge: string; run: Run };
export type Upload = { token: string; step: CaptureStep; attempt: string; answer: Answer };

function formOf(attempt: string, answer: Answer): FormData {
  const form = new FormData();
  form.set("attempt", attempt);
  if ("picture" in answer) {
    form.set("picture", answer.picture, answer.picture.type === "image/png" ? "picture.png" : "picture.jpg");
    return form;
  }
  const { frames, times, camera } = answer.run;
  form.set("run", JSON.stringify({ challenge: answer.challenge, times_ms: times, camera }));
  for (const [i, frame] of frames.entries()) form.append("frame", frame, `frame-${i}.jpg`);
  return form;
}

export function upload(
  { token, step, attempt, answer }: Upload,
  progress: (part: number) => void,
): { done: Promise<Task>; abort: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<Task>((resolve, reject) => {
    request.open("PUT", `/v1/applicant/steps/${step}`);
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.timeout = 90_000;
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
    request.upload.onload = () => progress(1);
    request.onerror = () => reject(new Unreachable("no answer"));
    request.ontimeout = () => reject(new Unreachable("too slow"));
    request.onload = () => {
      const body: unknown = request.response;
      if (request.status >= 200 && request.status < 300 && body) resolve(request.response);
      else reject(failureOf(request.status, body, request.getResponseHeader("Retry-After")));
    };
  });
  request.send(formOf(attempt, answer));
  return { done, abort: () => request.abort() };
}
