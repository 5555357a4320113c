import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";

/** How a workflow uses wallets, what it can ask them for, and the checks that then count in any case. */
export const walletUses = ["off", "offered", "required"] as const;
export type WalletUse = (typeof walletUses)[number];
export const walletAsks = ["pid", "mdl", "age"] as const;
export type WalletAsk = (typeof walletAsks)[number];
export const walletAlways: readonly string[] = ["wallet.valid", "wallet.holder"];
export const isWallet = (check: string): boolean => check.startsWith("wallet.");
export const walletUseOf = (spec: WorkflowSpec): WalletUse => spec.wallet ?? "off";
export const walletAsksOf = (spec: WorkflowSpec): readonly WalletAsk[] => spec.wallet_asks ?? [];

/** The same version with another use of wallets. To begin with, every check of theirs counts, and both kinds of documents are asked for. */
export function withWallet(spec: WorkflowSpec, wallet: WalletUse, language: RuleLanguage): WorkflowSpec {
  const before = walletUseOf(spec) !== "off";
  const kept = (check: string) => (before ? spec.required.includes(check) || walletAlways.includes(check) : true);
  const off = wallet === "off";
  return {
    ...spec,
    wallet,
    wallet_asks: off ? [] : before ? [...walletAsksOf(spec)] : ["pid", "mdl"],
    wallet_others: off ? [] : [...(spec.wallet_others ?? [])],
    wallet_instead: off ? false : before ? (spec.wallet_instead ?? false) : true,
    required: language.checks
      .map(({ check }) => check)
      .filter((check) => (isWallet(check) ? !off && kept(check) : spec.required.includes(check))),
  };
}

/** The same version with a preset added or left out. An age is asked for by itself. */
export function withAsk(spec: WorkflowSpec, ask: WalletAsk, on: boolean): WorkflowSpec {
  const others = walletAsksOf(spec).filter((one) => one !== ask && (one === "age") === (ask === "age"));
  return { ...spec, wallet_asks: walletAsks.filter((one) => others.includes(one) || (on && one === ask)) };
}
