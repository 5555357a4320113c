// @vitest-environment node
import { describe, expect, it } from "vitest";
import { barOf, barQuery, isBar, listOf, rowOf, spanBefore, unitOf } from "./drill.ts";

const now = Date.parse("2026-11-25T12:00:00Z");

describe("the list that a bar leads to", () => {
  it("has the span, workflow and state of the figures", () => {
    expect(listOf({ mode: "live", days: 7, workflow: "default", country: "D" }, now)).toEqual({
      mode: "live",
      from: "2026-11-19",
      to: "2026-11-25",
      workflow: "default",
      country: "D",
    });
  });

  it("names a workflow and its version apart", () => {
    expect(rowOf("workflows", "no_liveness 12")).toEqual({ workflow: "no_liveness", version: "12" });
  });

  it("counts devices of what was opened, and everything else of what was submitted", () => {
    expect(rowOf("devices", "phone")).toEqual({ reached: "opened", device: "phone" });
    expect(rowOf("models", "face-template 1")).toEqual({ reached: "submitted", face_model: "face-template 1" });
  });

  it("asks for what is not known by the name of the column", () => {
    expect(rowOf("countries", "")).toEqual({ reached: "submitted", unknown: "country" });
  });

  it("is read out of an address, and counted by the server", () => {
    const bar = barOf({ verdict: "approved", automatic: true, version: 3, left: "selfie", reached: "nowhere" });
    expect(bar).toEqual({ verdict: "approved", automatic: true, version: "3", left: "selfie" });
    expect(barQuery(bar)).toEqual({ verdict: "approved", automatic: true, version: 3, left: "selfie", total: true });
    expect(isBar({ state: "approved" })).toBe(false);
    expect(barQuery({ state: "approved" })).toEqual({});
  });
});

describe("the days of a column", () => {
  const span = { from: "2026-10-15", to: "2026-11-25" };
  it.each([
    ["a day", "day", "2026-11-03", { from: "2026-11-03", to: "2026-11-03" }],
    ["a week that begins before the span", "week", "2026-10-12", { from: "2026-10-15", to: "2026-10-18" }],
    ["a week that ends after the span", "week", "2026-11-23", { from: "2026-11-23", to: "2026-11-25" }],
    ["a month", "month", "2026-10-01", { from: "2026-10-15", to: "2026-10-31" }],
  ] as const)("%s", (_, unit, key, want) => {
    expect(unitOf(unit, key, span)).toEqual(want);
  });
});

describe("the span before", () => {
  it("is as long, and ends the day before", () => {
    expect(spanBefore({ days: 7, workflow: "default" }, now)).toEqual({
      workflow: "default",
      from: "2026-11-12",
      to: "2026-11-18",
    });
    expect(spanBefore({ from: "2026-11-01", to: "2026-11-01" }, now)).toEqual({ from: "2026-10-31", to: "2026-10-31" });
  });
});
