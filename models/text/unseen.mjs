// Writes words in Cyrillic and Greek that text-line-cyrillic-greek was not trained on, one language a row: the names, towns and streets of
// @faker-js/faker 10.6.0 (MIT). unseen.py reads lines of them.
//
//   npm install --no-save @faker-js/faker@10.6.0 && node models/text/unseen.mjs > unseen.tsv

import { allLocales } from "@faker-js/faker";
const leaves = (o) => Array.isArray(o) ? o.map((x) => (typeof x === "string" ? x : x?.value)).filter((x) => typeof x === "string") : o && typeof o === "object" ? Object.values(o).flatMap(leaves) : [];
const ok = (s) => /^[\p{Script=Cyrillic}\p{Script=Greek}][\p{Script=Cyrillic}\p{Script=Greek} '’.-]{2,30}$/u.test(s);
for (const [code, l] of Object.entries(allLocales)) {
  const some = new Set([l.person?.last_name, l.person?.first_name, l.person?.middle_name, l.location?.city_name, l.location?.city, l.location?.street_name, l.location?.state, l.location?.country].flatMap(leaves).filter(ok));
  if (some.size > 20) console.log(code + "\t" + [...some].join(";"));
}
