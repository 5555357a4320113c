import type { components } from "../api/schema.d.ts";
import type { Key, Words } from "./en.ts";
import type { Dictionary, Text } from "./translate.ts";

/** The problems that an applicant can meet. A test compares them with the server's catalogue. */
export const met = [
  "capture.not_an_image",
  "capture.too_many_pixels",
  "capture.too_small",
  "capture.blurred",
  "capture.glare",
  "capture.dark",
  "capture.cut_off",
  "capture.no_document",
  "capture.several_documents",
  "capture.wrong_side",
  "capture.same_side_twice",
  "capture.no_face",
  "capture.several_faces",
  "capture.face_too_small",
  "capture.face_turned",
  "capture.eyes_closed",
  "capture.attempt_reused",
  "capture.out_of_order",
  "capture.no_colour",
  "capture.injected",
  "request.too_large",
  "document.readers_disagree",
  "document.country_not_accepted",
  "document.type_not_accepted",
  "document.unsupported",
  "document.unreadable",
  "document.mrz_missing",
  "document.mrz_invalid",
  "document.expired",
  "document.dates_implausible",
  "document.specimen",
  "document.facts_disagree",
  "document.portrait_missing",
  "document.screen_copy",
  "document.paper_copy",
  "document.portrait_altered",
  "document.sides_differ",
  "document.barcode_unreadable",
  "person.claim_mismatch",
  "person.under_age",
  "face.mismatch",
  "face.uncertain",
  "face.not_comparable",
  "liveness.failed",
  "liveness.challenge_missed",
  "liveness.faces_differ",
  "liveness.replayed",
  "challenge.expired",
  "session.expired",
  "session.finished",
  "session.bound_elsewhere",
  "handoff.used",
  "handoff.expired",
  "session.attempts_exhausted",
  "consent.declined",
  "consent.missing",
] as const satisfies readonly components["schemas"]["ProblemCode"][];

/** Title and remedy of the problems that an applicant can meet, by code. English comes from the server's catalogue. */
export type ProblemWords = Readonly<Record<(typeof met)[number], readonly [title: string, remedy: string]>>;

/** The table as keys of the dictionary. */
function keyed(words: ProblemWords): Record<string, Text> {
  const out: Record<string, Text> = {};
  for (const [code, [title, remedy]] of Object.entries(words)) {
    out[`problem.${code}.title`] = title;
    out[`problem.${code}.remedy`] = remedy;
  }
  return out;
}

type Own = Exclude<Key, `problem.${string}`>;

/** A language from its own words and its words for problems. */
export function withProblems(problems: ProblemWords, own: Dictionary<Own>): Words {
  const [title, remedy] = problems["capture.not_an_image"];
  return {
    ...keyed(problems),
    ...own,
    "problem.capture.not_an_image.title": title,
    "problem.capture.not_an_image.remedy": remedy,
  };
}
