// Writes words that a reader was not trained on, one language a row: the names, towns and streets of @faker-js/faker 10.6.0 (MIT), in Cyrillic and
// Greek, or in Vietnamese. unseen.py reads lines of them.
//
//   npm install --no-save @faker-js/faker@10.6.0 && node models/text/unseen.mjs > unseen.tsv && node models/text/unseen.mjs vi > unseen-vi.tsv

import { allLocales } from "@faker-js/faker";
const leaves = (o) => Array.isArray(o) ? o.map((x) => (typeof x === "string" ? x : x?.value)).filter((x) => typeof x === "string") : o && typeof o === "object" ? Object.values(o).flatMap(leaves) : [];
const only = process.argv[2];
const letters = only ? /^\p{Script=Latin}[\p{Script=Latin} '’.-]{1,30}$/u : /^[\p{Script=Cyrillic}\p{Script=Greek}][\p{Script=Cyrillic}\p{Script=Greek} '’.-]{2,30}$/u;
const ok = (s) => letters.test(s);
for (const [code, l] of Object.entries(allLocales).filter(([c]) => !only || c === only)) {
  const some = new Set([l.person?.last_name, l.person?.first_name, l.person?.middle_name, l.location?.city_name, l.location?.city, l.location?.street_name, l.location?.state, l.location?.country].flatMap(leaves).filter(ok));
  if (some.size > 20) console.log(code + "\t" + [...some].join(";"));
}
