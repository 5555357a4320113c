import { describe, expect, it } from "vitest";
import type { HeldSession, Retention } from "../../api/wire.ts";
import { changed, erasedBy, holdDue, isLate, keptOf, spanOf } from "./retention.ts";

const setting = (pictures_hours: number, report_hours: number, test_hours = 0, audit_hours = 0) => ({
  pictures_hours,
  report_hours,
  test_hours,
  audit_hours,
});

const kept = (more: Partial<Retention> = {}): Retention => ({
  set: setting(0, 0),
  default: setting(2160, 8760, 24, 61_320),
  least: setting(1, 1, 1, 8760),
  workflows: [],
  due: [],
  every_minutes: 10,
  last_run: null,
  last_erased: null,
  held: 0,
  ...more,
});

describe("how long is kept", () => {
  it.each([
    [1, "1 hour"],
    [36, "36 hours"],
    [24, "1 day"],
    [2160, "90 days"],
    [8760, "1 year"],
    [61_320, "7 years"],
  ])("%d hours are said as %s", (hours, said) => expect(spanOf(hours)).toBe(said));

  it("is the default where nothing was set, and pictures never outlive the report", () => {
    expect(keptOf(kept(), "pictures")).toBe(2160);
    expect(keptOf(kept({ set: setting(0, 48) }), "pictures")).toBe(48);
    expect(keptOf(kept({ set: setting(0, 48) }), "test")).toBe(24);
  });

  it("changes one kind and leaves the others; the default is said by nothing", () => {
    expect(changed(kept({ set: setting(720, 0, 2) }), "report", 1440)).toEqual(setting(720, 1440, 2));
    expect(changed(kept({ set: setting(720, 0, 2) }), "test", 24)).toEqual(setting(720, 0));
    expect(changed(kept({ set: setting(720, 0) }), "report", 48)).toEqual(setting(0, 48));
  });
});

describe("the job", () => {
  const run = (started_at: string) => ({
    started_at,
    ended_at: started_at,
    pictures: 0,
    sessions: 0,
    entries: 0,
    failed: false,
  });
  const now = Date.parse("2026-11-22T12:00:00Z");
  it.each([
    ["ran a moment ago", run("2026-11-22T11:55:00Z"), false],
    ["has not run for half an hour and more", run("2026-11-22T11:29:00Z"), true],
    ["has never run", null, false],
  ])("%s", (_, last_run, late) => expect(isLate(kept({ last_run }), now)).toBe(late));

  it("says what it erased, and nothing of what it did not", () => {
    expect(erasedBy({ ...run(""), pictures: 1, entries: 2000 })).toBe("pictures of 1 session and 2,000 audit entries");
    expect(erasedBy(run(""))).toBe("");
  });
});

describe("a held session", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const hold = (pictures_until: string | null, report_until: string | null): HeldSession => ({
    session: "ses_1",
    mode: "live",
    reason: "",
    set_by: "",
    name: "",
    set_at: "",
    pictures_until,
    report_until,
  });
  it.each([
    ["that is under way has no time yet", hold(null, null), "unfinished"],
    ["keeps everything until later", hold("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"), "later"],
    ["whose pictures are gone keeps the rest", hold(null, "2027-01-01T00:00:00Z"), "later"],
    ["loses its pictures when it is released", hold("2026-11-01T00:00:00Z", "2027-01-01T00:00:00Z"), "pictures"],
    ["loses everything when it is released", hold("2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"), "overdue"],
  ])("%s", (_, held, due) => expect(holdDue(held, now)).toBe(due));
});
