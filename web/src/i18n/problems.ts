import type { components } from "../api/schema.d.ts";
import type { Text } from "./translate.ts";

/** Title and remedy of the problems that an applicant can meet, by code. English comes from the server's catalogue. */
export type ProblemWords = {
  readonly [code in components["schemas"]["ProblemCode"]]?: readonly [title: string, remedy: string];
};

/** The table as keys of the dictionary. */
export function keyed(words: ProblemWords): Record<string, Text> {
  const out: Record<string, Text> = {};
  for (const [code, [title, remedy]] of Object.entries(words)) {
    out[`problem.${code}.title`] = title;
    out[`problem.${code}.remedy`] = remedy;
  }
  return out;
}
