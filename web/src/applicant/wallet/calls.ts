import { api, unwrap } from "../../api/client.ts";
import type { Task, WalletChannel, WalletChoice, WalletRequest, WalletRequestState } from "../../api/wire.ts";
import { bearer } from "../calls.ts";

/** The calls about wallets. Few people need them, so they are no part of what everybody loads first. */
export const walletCalls = {
  ask: (token: string, channel: WalletChannel): Promise<WalletRequest> =>
    unwrap(api.POST("/v1/applicant/steps/wallet", { ...bearer(token), body: { channel } })),
  look: (token: string, request: string): Promise<WalletRequestState> =>
    unwrap(api.GET("/v1/applicant/steps/wallet/{request}", { ...bearer(token), params: { path: { request } } })),
  complete: (token: string, response_code: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/steps/wallet/complete", { ...bearer(token), body: { response_code } })),
  /** Lets the test wallet answer a request by the browser's API, in test mode. */
  answerForTest: (token: string, request: string, choice: WalletChoice): Promise<Task> =>
    unwrap(
      api.POST("/v1/applicant/steps/wallet/{request}/test", {
        ...bearer(token),
        params: { path: { request } },
        body: { choice },
      }),
    ),
  cancel: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/steps/wallet/cancel", { ...bearer(token), body: {} })),
};
