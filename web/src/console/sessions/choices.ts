import type { DecisionOutcome, DocumentKind } from "../../api/wire.ts";

// What can be chosen of what the program names: a row each, so that a new one breaks the build until somebody says where it goes.

const listed = <T extends string>(rows: Record<T, boolean>): T[] => {
  const found: T[] = [];
  for (const one in rows) if (rows[one]) found.push(one);
  return found;
};

/** Outcomes that a decision in the list can have. */
export const outcomes = listed<Exclude<DecisionOutcome, "reopened">>({
  approved: true,
  declined: true,
  referred: true,
});

/** Kinds of document that a session can be about. */
export const documentKinds = listed<DocumentKind>({
  passport: true,
  id_card: true,
  driving_licence: true,
  residence_permit: true,
  visa: true,
  unknown: true,
});
