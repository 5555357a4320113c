import { api, unwrap } from "../api/client.ts";
import type { DocumentKind, DocumentReply, Issuer, LivenessPath, Opened, Peeked, Resumed, Task } from "../api/wire.ts";

/**
 * What the consent page asks for: that a face is compared with the document, or only that the document is read; and whether it
 * says that the check goes on without the face. The versions are those of the texts in src/i18n. Change one with its words, so
 * that what was agreed to can be shown later.
 */
export const consentVersion = {
  face: "biometric-2026-11-3",
  optional: "biometric-optional-2026-11-2",
  document: "document-2026-11-2",
} as const;

export type Subject = "face" | "document";

const about = { face: "biometrics", document: "document" } as const;

export const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export const calls = {
  peek: (link: string): Promise<Peeked> => unwrap(api.POST("/v1/applicant/peek", { body: { link } })),
  /** `code` is the one that was mailed, where another browser has the session and pictures were sent. */
  open: (link: string, code?: string): Promise<Opened> =>
    unwrap(api.POST("/v1/applicant/open", { body: code ? { link, one_time_code: code } : { link } })),
  resume: (key: string): Promise<Resumed> => unwrap(api.POST("/v1/applicant/resume", { body: { key } })),
  task: (token: string): Promise<Task> => unwrap(api.GET("/v1/applicant/task", bearer(token))),
  consent: (
    token: string,
    decision: "given" | "declined",
    locale: string,
    to: Subject,
    optional: boolean,
  ): Promise<Task> =>
    unwrap(
      api.POST("/v1/applicant/consent", {
        ...bearer(token),
        body: {
          decision,
          about: about[to],
          text_version: consentVersion[to === "face" && optional ? "optional" : to],
          locale,
        },
      }),
    ),
  issuers: async (token: string): Promise<readonly Issuer[]> =>
    (await unwrap(api.GET("/v1/applicant/countries", bearer(token)))).items,
  choose: (token: string, document_kind: DocumentKind, country: string): Promise<Task> =>
    unwrap(
      api.PUT("/v1/applicant/steps/choose", {
        ...bearer(token),
        body: { document_kind, ...(country ? { country } : {}) },
      }),
    ),
  /** Begins the session that follows a declined one. A repeat under the same `attempt` is answered as before. */
  anotherDocument: (token: string, attempt: string): Promise<Resumed> =>
    unwrap(
      api.POST("/v1/applicant/another-document", {
        headers: { ...bearer(token).headers, "Idempotency-Key": attempt },
        body: {},
      }),
    ),
  reply: (token: string, reply: DocumentReply): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/reply", { ...bearer(token), body: { reply } })),
  liveness: (token: string, path: LivenessPath): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/liveness", { ...bearer(token), body: { path } })),
};
