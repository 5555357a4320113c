import { Refused } from "../../api/failure.ts";
import type { Me, WorkflowVersion } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";

/** Whether the server keeps something from somebody: it refuses their roles, or tells them that it is not there (figures of a live workflow). */
export const keptBack = (error: unknown): boolean =>
  error instanceof Refused && (error.problem.code === "auth.forbidden" || error.problem.code === "not_found");

/** Why a draft cannot be changed by somebody; null if it can. */
export const whyNoChange = (me: Me): ConsoleKey | null =>
  me.may.includes("workflows.write") ? null : "workflow.why.write";

/** Why a draft cannot be published now; null if it can. The server asks the same again. */
export function whyNoPublishing(me: Me, draft: WorkflowVersion, unsaved: boolean): ConsoleKey | null {
  if (!me.may.includes("workflows.publish")) return "workflow.why.publish";
  if (unsaved) return "workflow.why.unsaved";
  return draft.issues.length > 0 ? "workflow.why.issues" : null;
}
