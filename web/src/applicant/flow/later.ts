import { api, unwrap } from "../../api/client.ts";
import type { Task } from "../../api/wire.ts";
import { bearer } from "../calls.ts";

/** Calls that nobody makes from the first screen. */
export const later = {
  otherDocument: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/other-document", { ...bearer(token), body: {} })),
  simulate: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/simulate", { ...bearer(token), body: {} })),
  withdraw: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/withdraw", { ...bearer(token), body: {} })),
};
