// Writes people's names by language, one list a row, for the pages that the network is trained on (README.md). The names are those of
// @faker-js/faker 10.6.0 (MIT) in Latin, Cyrillic and Greek script. Names that documents of unknown layouts print (fixtures/strange) are left out.
//
//   npm install --no-save @faker-js/faker@10.6.0 && node models/reading/people.mjs > people.tsv

import { readFileSync } from "node:fs";
import { allLocales } from "@faker-js/faker";

const plain = (s) => s.normalize("NFD").replace(/[^\p{L}]/gu, "").toUpperCase();
const held = new Set();
for (const table of ["people", "near"]) {
  const text = readFileSync(new URL(`../../fixtures/strange/${table}.tsv`, import.meta.url), "utf8");
  for (const name of text.split(/[\t\n|;]/)) {
    for (const word of [name, ...name.split(/\s+/)]) held.add(plain(word));
  }
}
const leaves = (o) => {
  if (Array.isArray(o)) return o.map((x) => (typeof x === "string" ? x : x.value)).filter((x) => typeof x === "string");
  return o && typeof o === "object" ? Object.values(o).flatMap(leaves) : [];
};
const scripts = ["Latin", "Cyrillic", "Greek"].map((name) => new RegExp(`^\\p{Script=${name}}[\\p{Script=${name}}\\p{M} '’-]{1,28}$`, "u"));
const name = (s) => scripts.some((script) => script.test(s)) && !held.has(plain(s));
const lists = new Map();
for (const [code, locale] of Object.entries(allLocales)) {
  for (const [sense, source] of [["family", locale.person?.last_name], ["given", locale.person?.first_name]]) {
    const key = `${code.split("_")[0]}\t${sense}`;
    const list = lists.get(key) ?? new Set();
    for (const each of leaves(source).filter(name)) list.add(each);
    lists.set(key, list);
  }
}
for (const [key, list] of [...lists].sort()) {
  const other = key.replace(/\w+$/, (s) => (s === "family" ? "given" : "family"));
  if (list.size > 20 && (lists.get(other)?.size ?? 0) > 20) console.log(`${key}\t${[...list].join(";")}`);
}
