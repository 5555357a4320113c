import type { components } from "../../api/schema.d.ts";
import type { Mode } from "../../api/wire.ts";

/** What a session is asked for with. Empty texts are left out. */
export type Asked = {
  reference: string;
  workflow: string;
  locale: string;
  given_names: string;
  family_name: string;
  date_of_birth: string;
  /** Where links and codes are mailed. */
  email: string;
  /** "yes" mails the link. */
  send: string;
};

export const columns: readonly (keyof Asked)[] = [
  "reference",
  "given_names",
  "family_name",
  "date_of_birth",
  "email",
  "workflow",
  "locale",
];

/** Names of columns that mean one of ours, in small letters. */
const meant: Readonly<Record<string, keyof Asked>> = {
  external_reference: "reference",
  "given names": "given_names",
  "first name": "given_names",
  "family name": "family_name",
  "last name": "family_name",
  "date of birth": "date_of_birth",
  language: "locale",
  "e-mail": "email",
};

export const nobody: Asked = {
  reference: "",
  workflow: "",
  locale: "",
  given_names: "",
  family_name: "",
  date_of_birth: "",
  email: "",
  send: "",
};

/** The most sessions that are made from one list. */
export const mostPeople = 200;

/** A list of people, or why it is none: the key of the text, and what it is about. */
export type People = { people: Asked[] } | { wrong: "empty" | "column" | "unnamed" | "quote" | "many"; about: string };

/** Reads the rows of a CSV file (RFC 4180), whose cells commas, semicolons or tabs set apart. Null where a quoted cell does not end. */
export function rowsOf(text: string): string[][] | null {
  const body = text.replace(/^\uFEFF/, "");
  const head = body.slice(0, body.search(/\r|\n|$/));
  const apart = [";", "\t"].find((sign) => head.includes(sign)) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = "";
  };
  for (let i = 0; i < body.length; i++) {
    const sign = body[i] ?? "";
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (body[i + 1] === '"') cell += body[i++];
      else quoted = false;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === apart) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && body[i + 1] === "\n") i++;
      endRow();
    } else cell += sign;
  }
  if (quoted) return null;
  if (cell !== "" || row.length > 0) endRow();
  return rows.map((cells) => cells.map((one) => one.trim())).filter((cells) => cells.some((one) => one !== ""));
}

/** Reads a list of people. Its first row names the columns; others than ours are refused, so that nothing is left out unseen. */
export function peopleOf(text: string): People {
  const rows = rowsOf(text);
  if (!rows) return { wrong: "quote", about: "" };
  const [head, ...rest] = rows;
  if (!head || rest.length === 0) return { wrong: "empty", about: "" };
  if (rest.length > mostPeople) return { wrong: "many", about: String(rest.length) };
  const names = head.map((name) => {
    const small = name.toLowerCase();
    return columns.find((column) => column === small) ?? meant[small];
  });
  const unknown = names.indexOf(undefined);
  if (unknown >= 0) return { wrong: "column", about: head[unknown] ?? "" };
  const wide = rest.findIndex((cells) => cells.length > head.length);
  if (wide >= 0) return { wrong: "unnamed", about: String(wide + 2) };
  return {
    people: rest.map((cells) => {
      const person = { ...nobody };
      for (const [i, name] of names.entries()) if (name) person[name] = cells[i] ?? "";
      return person;
    }),
  };
}

const claims = ["family_name", "given_names", "date_of_birth"] as const;

/** The body of the call that makes a session. */
export function bodyOf(mode: Mode, asked: Asked): components["schemas"]["NewSession"] {
  const claimed = Object.fromEntries(
    claims.map((name) => [name, asked[name].trim()] as const).filter(([, value]) => value !== ""),
  );
  const { reference, workflow, locale, send } = asked;
  const email = asked.email.trim();
  return {
    mode,
    ...(reference.trim() ? { external_reference: reference.trim() } : {}),
    ...(workflow ? { workflow } : {}),
    ...(locale ? { locale } : {}),
    ...(email ? { applicant: send ? { email, send_link: true } : { email } } : {}),
    ...(Object.keys(claimed).length > 0 ? { claimed } : {}),
  };
}
