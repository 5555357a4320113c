import { api, unwrap } from "../../api/client.ts";
import type { Handoff, Task } from "../../api/wire.ts";
import { bearer } from "../calls.ts";

/** The calls that hand a session to another device and back. The first screen needs none of them. */
export const handoffs = {
  /** With a locale the link is mailed as well, in that language. */
  over: (token: string, locale?: string): Promise<Handoff> =>
    unwrap(api.POST("/v1/applicant/handoff", { ...bearer(token), body: locale ? { mail: true, locale } : {} })),
  keep: (token: string): Promise<Task> => unwrap(api.DELETE("/v1/applicant/handoff", bearer(token))),
  back: async (token: string): Promise<void> => {
    await unwrap(
      api.POST("/v1/applicant/handoff/back", { ...bearer(token), body: {}, parseAs: "text" }).then((answer) => ({
        ...answer,
        data: answer.response.ok ? true : undefined, // it answers with nothing
      })),
    );
  },
  take: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/handoff/take", { ...bearer(token), body: {} })),
};
