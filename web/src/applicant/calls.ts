import { failureOf, Unreachable } from "../api/failure.ts";
import type { CaptureStep, DocumentKind, Opened, Peeked, Task } from "../api/wire.ts";

/** Version of the consent text in src/i18n. Change it with the words, so that what was agreed to can be shown later. */
export const consentVersion = "biometric-2026-11";

async function call<T>(method: string, path: string, token?: string, body?: unknown): Promise<T> {
  const headers = new Headers({ Accept: "application/json" });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const answer = await fetch(`/v1/applicant/${path}`, {
    method,
    headers,
    cache: "no-store",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  const json = await answer.json().catch(() => null);
  if (!answer.ok || json === null) throw failureOf(answer.status, json);
  return json;
}

export const calls = {
  peek: (link: string) => call<Peeked>("POST", "peek", undefined, { link }),
  open: (link: string) => call<Opened>("POST", "open", undefined, { link }),
  task: (token: string) => call<Task>("GET", "task", token),
  consent: (token: string, decision: "given" | "declined", locale: string) =>
    call<Task>("POST", "consent", token, { decision, text_version: consentVersion, locale }),
  choose: (token: string, document_kind: DocumentKind) => call<Task>("PUT", "steps/choose", token, { document_kind }),
  withdraw: (token: string) => call<Task>("POST", "withdraw", token),
};

export type Upload = { token: string; step: CaptureStep; attempt: string; picture: Blob };

/** Sends one picture. XMLHttpRequest, because fetch does not tell how much has been sent. */
export function upload({ token, step, attempt, picture }: Upload, progress: (part: number) => void): { done: Promise<Task>; abort: () => void } {
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
      else reject(failureOf(request.status, body));
    };
  });
  const form = new FormData();
  form.set("attempt", attempt);
  form.set("picture", picture, picture.type === "image/png" ? "picture.png" : "picture.jpg");
  request.send(form);
  return { done, abort: () => request.abort() };
}
