import type { WorkflowIssue } from "../../api/wire.ts";
import { said } from "../said.ts";

/** What the first of some faults says that fits, in the console's language; undefined for none. */
export const faultAt = (issues: readonly WorkflowIssue[], fits: (field: string) => boolean): string | undefined => {
  const found = issues.find(({ field }) => fits(field));
  return found && said(found.message);
};
