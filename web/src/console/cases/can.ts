import type { Case, Me, SessionFile } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";

/** What can be done to a case. */
export type Act = "claim" | "approve" | "decline" | "redo" | "note" | "release" | "assign" | "change";

type Asked = { case: Case; me: Me; file?: SessionFile | undefined; steps: readonly string[] };
type Why = ConsoleKey | null;

const holds = ({ case: one, me }: Asked) => one.assignee?.id === me.id;

function present({ case: one, me }: Asked): Why {
  if (one.state === "closed") return "case.why.closed";
  return me.may.includes("cases.decide") ? null : "case.why.role";
}

function free(asked: Asked): Why {
  return present(asked) ?? (asked.case.assignee && !holds(asked) ? "case.why.held" : null);
}

/** Nobody decides what they made themselves or approved before, where the workflow says so. */
function decide(asked: Asked): Why {
  const { case: one, me } = asked;
  const no = free(asked);
  if (no) return no;
  if (one.not_by_creator && one.session.created_by === me.id) return "case.why.own";
  if (one.approved_by?.id === me.id) return "case.why.first";
  return one.approved_by && !me.may.includes("cases.overrule") ? "case.why.second" : null;
}

const rules: Record<Act, (asked: Asked) => Why> = {
  claim: (asked) => free(asked) ?? (holds(asked) ? "case.why.yours" : null),
  approve: decide,
  decline: decide,
  redo: (asked) => decide(asked) ?? (asked.steps.length === 0 ? "case.why.no_step" : null),
  note: present,
  release: (asked) => present(asked) ?? (holds(asked) ? null : "case.why.not_yours"),
  assign: ({ case: one, me }) => whyNotAssigned(one, me),
  change: ({ me, file }) => whyNoChange(me, file),
};

/** Why somebody cannot give a case to another; null if they can. */
export function whyNotAssigned(one: Case, me: Me): Why {
  if (one.state === "closed") return "case.why.closed";
  return me.may.includes("cases.overrule") ? null : "case.why.assign";
}

/** Why a final decision cannot be changed by somebody; null if it can. */
export function whyNoChange(me: Me, file: SessionFile | undefined): Why {
  if (
    !file ||
    !["approved", "declined"].includes(file.session.state) ||
    file.decisions.length === 0 ||
    file.session.erased_at
  )
    return "case.why.not_final";
  return me.may.includes("cases.overrule") ? null : "case.why.overrule";
}

/** Why somebody cannot correct a fact of a case; null if they can: who may decide it may. */
export const whyNoCorrection = (asked: Asked): Why => decide(asked);

/** Why an act is not possible now; null if it is. The server asks the same again. */
export const whyNot = (act: Act, asked: Asked): Why => rules[act](asked);
