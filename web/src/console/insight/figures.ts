import type { Analytics, FigureCounts } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { labelOf, numeral, t, words } from "../words.ts";

/** A part as per cent; a dash where there is nothing to take it of. */
export const part = (n: number, of: number): string =>
  of > 0 ? `${numeral(Math.round((100 * n) / of))} %` : t("tile.none");

export const count = (n: number): string => numeral(n);

/** A time in the largest unit that says enough. */
export function lasting(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${numeral(seconds / 3600, seconds < 36_000 ? 1 : 0)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = n > 0 ? Math.min(Math.floor(Math.log10(n) / 3), units.length - 1) : 0;
  return `${numeral(n / 1000 ** step, step > 0 && n / 1000 ** step < 10 ? 1 : 0)} ${units[step]}`;
}

export const dayName = (iso: string): string =>
  new Intl.DateTimeFormat(words.locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(iso));

/** A day in the reader's format, with its year. */
export const absoluteDay = (iso: string): string =>
  new Intl.DateTimeFormat(words.locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso));

/** What can become of a session, in the colours of its state, and the list that has those sessions. */
export const fates = [
  {
    key: "approved",
    shape: "pass",
    word: t("by.approved"),
    of: (c: FigureCounts) => c.approved,
    bar: { verdict: "approved" },
  },
  {
    key: "declined",
    shape: "fail",
    word: t("by.declined"),
    of: (c: FigureCounts) => c.declined,
    bar: { verdict: "declined" },
  },
  {
    key: "waiting",
    shape: "refer",
    word: t("by.waiting"),
    of: (c: FigureCounts) => c.waiting,
    bar: { verdict: "in_review" },
  },
  {
    key: "other",
    shape: "idle",
    word: t("course.other"),
    of: (c: FigureCounts) => c.created - c.decided - c.waiting,
    bar: { verdict: "other" },
  },
] as const;

/** Who decided: nobody but the policy, or a reviewer. A list of the latter alone is not to be had, so that leads to all that was decided. */
export const deciders = [
  {
    key: "automatic",
    shape: "running",
    word: t("automatic.by_policy"),
    of: (c: FigureCounts) => c.automatic,
    bar: { automatic: true },
  },
  {
    key: "person",
    shape: "refer",
    word: t("automatic.by_person"),
    of: (c: FigureCounts) => c.decided - c.automatic,
    bar: { verdict: "decided" },
  },
] as const;

/** How a number changed against the span before, in words; `n` days long. */
export function changeOf(
  now: number,
  past: number,
  n: number,
  words: {
    more: "compare.more" | "compare.points_more" | "compare.longer";
    less: "compare.less" | "compare.points_less" | "compare.shorter";
  },
  say: (n: number) => string = count,
): string {
  if (now === past) return t("compare.same", { n });
  const change = t(now > past ? words.more : words.less, { n: say(Math.abs(now - past)) });
  return t("compare.before", { change, n });
}

/** What sessions are told apart by, and how each row is called. */
export const groups = [
  { key: "workflows", word: "by.workflows", text: "", name: (key: string) => key },
  { key: "countries", word: "by.countries", text: "by.countries.text", name: (key: string) => countryOf(key) },
  { key: "kinds", word: "by.kinds", text: "", name: (key: string) => labelOf("kind", key) },
  { key: "devices", word: "by.devices", text: "by.devices.text", name: (key: string) => labelOf("device", key) },
  { key: "sources", word: "by.sources", text: "by.sources.text", name: (key: string) => labelOf("source", key) },
  { key: "models", word: "by.models", text: "by.models.text", name: (key: string) => key },
] as const satisfies readonly { key: keyof Analytics; word: string; text: string; name: (key: string) => string }[];

/** How many lines the server's export of the figures has: that of all sessions, those of the days, and those of the groups. */
export const linesOf = (data: Analytics): number =>
  1 + data.course.length + groups.reduce((sum, { key }) => sum + data[key].length, 0);

/**
 * What a spreadsheet would run: the expression of the server's sheets (internal/httpapi/sheet/sheet.go), and the tests of both
 * read internal/httpapi/sheet/testdata/formulas.json.
 */
const formula = /^(?:[\t\r\n]|[\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** Text of a table as CSV (RFC 4180). A text that a spreadsheet would run begins with an apostrophe; numbers are numbers. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const safe = typeof value === "string" && formula.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n");
}
