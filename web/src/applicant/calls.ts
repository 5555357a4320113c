import { answered, api } from "../api/client.ts";
import type { DocumentKind, Handoff, LivenessPath, Opened, Peeked, Task } from "../api/wire.ts";

/**
 * What the consent page asks for: that a face is compared with the document, or only that the document is read. The versions
 * are those of the texts in src/i18n. Change one with its words, so that what was agreed to can be shown later.
 */
export const consentVersion = { face: "biometric-2026-11-2", document: "document-2026-11-1" } as const;

export const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export const calls = {
  peek: (link: string): Promise<Peeked> => answered(api.POST("/v1/applicant/peek", { body: { link } })),
  open: (link: string): Promise<Opened> => answered(api.POST("/v1/applicant/open", { body: { link } })),
  task: (token: string): Promise<Task> => answered(api.GET("/v1/applicant/task", bearer(token))),
  consent: (
    token: string,
    decision: "given" | "declined",
    locale: string,
    to: keyof typeof consentVersion,
  ): Promise<Task> =>
    answered(
      api.POST("/v1/applicant/consent", {
        ...bearer(token),
        body: { decision, text_version: consentVersion[to], locale },
      }),
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
