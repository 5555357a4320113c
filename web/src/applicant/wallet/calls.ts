import { api, unwrap } from "../../api/client.ts";
import type { Task, WalletChannel, WalletRequest, WalletRequestState } from "../../api/wire.ts";
import { bearer } from "../calls.ts";

/** The calls about wallets. Few people need them, so they are no part of what everybody loads first. */
export const walletCalls = {
  ask: (token: string, channel: WalletChannel): Promise<WalletRequest> =>
    unwrap(api.POST("/v1/applicant/steps/wallet", { ...bearer(token), body: { channel } })),
  look: (token: string, request: string): Promise<WalletRequestState> =>
    unwrap(api.GET("/v1/applicant/steps/wallet/{request}", { ...bearer(token), params: { path: { request } } })),
  complete: (token: string, response_code: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/steps/wallet/complete", { ...bearer(token), body: { response_code } })),
  cancel: (token: string): Promise<Task> =>
    unwrap(api.POST("/v1/applicant/steps/wallet/cancel", { ...bearer(token), body: {} })),
};
