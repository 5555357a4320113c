import type en from "./applicant/en.json";
import type { ApplicantProblem } from "./problems.ts";
import type { Dictionary } from "./translate.ts";

/** The key of a text on the applicant's screens. The keys of English are the keys of every language. */
export type Key = keyof (typeof en)["words"];

/** The texts of one language, by key. */
export type Words = Dictionary<Key>;

/**
 * The texts of a language other than English. It also has a title and a remedy for each problem that an applicant can meet. A
 * problem that is new may lack them until the next release: it is then said in English, as the server's catalogue says it.
 */
export type Translation = Words & Partial<Dictionary<`problem.${ApplicantProblem}.${"title" | "remedy"}`>>;
