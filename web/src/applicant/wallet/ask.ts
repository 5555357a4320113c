import { Refused } from "../../api/failure.ts";
import type { Task, WalletChannel, WalletRequest } from "../../api/wire.ts";
import { isHandheld } from "../browser.ts";
import { calls } from "../calls.ts";
import { put } from "../sending/put.ts";
import { walletCalls } from "./calls.ts";

/** Why a wallet shared nothing: a code of the catalogue. */
export type Reason = "wallet.declined" | "wallet.failed" | "wallet.expired" | "wallet.code_refused";

const known: readonly string[] = [
  "wallet.declined",
  "wallet.failed",
  "wallet.expired",
  "wallet.code_refused",
] satisfies Reason[];
const isReason = (code: string): code is Reason => known.includes(code);

/** The reason of a refusal; that the wallet failed for anything unknown. */
export const reasonOf = (error: unknown): Reason =>
  error instanceof Refused && isReason(error.problem.code) ? error.problem.code : "wallet.failed";

/**
 * Whether this browser can ask wallets itself. Only the interface says so: what userAgentAllowsProtocol answers is true of anything in
 * some browsers.
 */
export const hasWalletAPI = (): boolean => "DigitalCredential" in globalThis && "credentials" in navigator;

/** How a wallet is asked first here: by the browser, else by a link on a phone, else by a code for one. */
export const firstChannel = (): WalletChannel =>
  hasWalletAPI() ? "browser" : isHandheld() ? "same_device" : "cross_device";

/** Asks by the browser, which hands the answer back to this page. Rejects where the person declines or no wallet has anything suitable. */
export async function askBrowser(token: string, request: WalletRequest, signal: AbortSignal): Promise<Task> {
  const options = { digital: { requests: request.requests }, mediation: "required", signal };
  const found: unknown = await Reflect.apply(navigator.credentials.get, navigator.credentials, [options]);
  if (typeof found !== "object" || found === null || !("protocol" in found) || !("data" in found))
    throw new Error("the browser returned no credential");
  return put<Task>({
    method: "POST",
    path: `/v1/applicant/steps/wallet/${encodeURIComponent(request.id)}/answer`,
    token,
    headers: { "Content-Type": "application/json" },
    body: new Blob([JSON.stringify({ protocol: found.protocol, data: found.data })], { type: "application/json" }),
    progress: () => undefined,
    signal,
  });
}

/** The reason of a rejection by the browser. What it calls not allowed is a person who declined, or a wallet with nothing suitable. */
export const browserReason = (error: unknown): Reason =>
  error instanceof DOMException && error.name === "NotAllowedError" ? "wallet.declined" : reasonOf(error);

const mark = /^#wallet=([\w-]+)$/;
let came: Reason | null = null;

/** Why the wallet from which the page was opened shared nothing; null for none. It is read once. */
export function cameWith(): Reason | null {
  const reason = came;
  came = null;
  return reason;
}

/** Fetches the first task. A page that a wallet opened first hands in the code in its address, which is then removed from it. */
export async function firstTask(token: string): Promise<Task> {
  const code = mark.exec(location.hash)?.[1];
  if (!code) return calls.task(token);
  history.replaceState(null, "", location.pathname);
  try {
    return await walletCalls.complete(token, code);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    came = reasonOf(error);
    return calls.task(token);
  }
}
