import type en from "./applicant/en.json";
import type { ApplicantProblem } from "./problems.ts";
import type { Dictionary } from "./translate.ts";

/** The key of a text on the applicant's screens. The keys of English are the keys of every language. */
export type Key = keyof (typeof en)["words"];

/** The texts of one language, by key. */
export type Words = Dictionary<Key>;

/**
 * The texts of a language other than English. It also has a title and a remedy for each problem that an applicant can meet;
 * in English these come from the server's catalogue.
 */
export type Translation = Dictionary<Key | `problem.${ApplicantProblem}.${"title" | "remedy"}`>;
