import type { WalletOther, WorkflowSpec } from "../../api/wire.ts";

/** The formats of credentials that no preset has. */
export const walletFormats = ["dc+sd-jwt", "mso_mdoc"] as const;

export const walletOthersOf = (spec: WorkflowSpec): readonly WalletOther[] => spec.wallet_others ?? [];

/** One that nothing was said about yet. */
export const newWalletOther: WalletOther = { format: "dc+sd-jwt", type: "", claims: [] };

/** The claims as they are written in the form: one in a line, the steps of its path with slashes between, a question mark behind an optional one. */
export const linesOf = (claims: WalletOther["claims"]): string =>
  claims.map(({ path, optional }) => path.join("/") + (optional ? "?" : "")).join("\n");

/** Reads what linesOf writes. What a path cannot hold, the server says. */
export const claimsOf = (lines: string): WalletOther["claims"] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const optional = line.endsWith("?");
      const path = (optional ? line.slice(0, -1) : line).split("/").map((step) => step.trim());
      return { path, optional };
    });
