import { describe, expect, it } from "vitest";
import formulas from "../../internal/httpapi/sheet/testdata/formulas.json";
import { bytes, csv, lasting, part } from "../src/console/insight/figures.ts";
import { figuresSearch, spanOf } from "../src/console/insight/queries.ts";

describe("figures", () => {
  it("a part of nothing is a dash, not nought", () => {
    expect([part(1, 3), part(0, 3), part(0, 0)]).toEqual(["33 %", "0 %", "–"]);
  });

  it("times are in the largest unit that says enough", () => {
    expect([0.4, 59, 90, 5460, 90_000, 400_000].map(lasting)).toEqual(["0 s", "59 s", "2 min", "1.5 h", "25 h", "5 d"]);
  });

  it("sizes are decimal", () => {
    expect([0, 999, 1500, 48_300_000, 1_830_000_000].map(bytes)).toEqual(["0 B", "999 B", "1.5 kB", "48 MB", "1.8 GB"]);
  });

  it("a sheet has no formulas, and cells that hold its marks are quoted", () => {
    expect(csv([["=1+1", "+a", "-2", "@x", "\tz", -2, 'say "no", twice']])).toBe(
      `'=1+1,'+a,'-2,'@x,'\tz,-2,"say ""no"", twice"`,
    );
  });

  it("what is a formula is the same here as in the server's sheets", () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const written = (text: string) => (/[",\r\n]/.test(text) ? quoted(text) : text);
    for (const { cell, safe } of formulas) expect(csv([[cell]]), JSON.stringify(cell)).toBe(written(safe));
  });
});

describe("the span in the address", () => {
  const now = Date.UTC(2026, 10, 22, 23, 59);

  it("is thirty days up to today where it says nothing", () => {
    expect(spanOf(figuresSearch({}), now)).toEqual({ from: "2026-10-24", to: "2026-11-22" });
  });

  it("is what was chosen, also live and of one workflow", () => {
    const search = figuresSearch({
      mode: "live",
      from: "2026-01-01",
      to: "2026-01-31",
      workflow: "default",
      country: "UTO",
    });
    expect(spanOf(search, now)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
    expect(search).toMatchObject({ mode: "live", workflow: "default", country: "UTO" });
  });

  it("forgets what is no day, no number of days on offer and no state", () => {
    expect(figuresSearch({ days: 31, from: "2026-02-31x", to: "yesterday", country: "<b>", mode: "prod" })).toEqual({});
  });
});
