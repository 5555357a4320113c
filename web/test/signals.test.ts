import { describe, expect, it } from "vitest";
import type { Check, SessionFile } from "../src/api/wire.ts";
import { ratesText } from "../src/console/evidence/Signals.tsx";
import { chosenFrames, filmOf, signalsOf, suspectsOf, whereOf } from "../src/console/evidence/signals.ts";

type Capture = SessionFile["captures"][number];
type Finding = NonNullable<Check["finding"]>;

const capture = (id: string, kind: Capture["kind"], more: Partial<Capture> = {}): Capture => ({
  id,
  step: kind === "frames" ? "selfie" : "document_front",
  side: kind === "frames" ? "" : "front",
  kind,
  source: "camera",
  width: null,
  height: null,
  created_at: "2026-11-21T11:33:10Z",
  url: `/evidence/${id}`,
  ...more,
});
const check = (kind: string, finding: Partial<Finding>): Check => ({
  kind,
  lifecycle: "settled",
  required: true,
  duration_ns: 0,
  finding: { outcome: "inconclusive", reasons: [], ...finding },
});
const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.1 };
const head = check("liveness.head", { places: [{ frame: 20, what: "turned_degrees", value: 21 }] });
const edits = check("document.edits", { outcome: "fail", places: [{ side: "front", box, what: "portrait" }] });
const passed = check("liveness.passive", { outcome: "pass", places: [{ frame: 1 }] });

const file = (checks: Check[], captures: Capture[], artifacts: SessionFile["artifacts"] = []): SessionFile => ({
  verified: null,
  related: [],
  earlier: [],
  session: {
    id: "ses_1",
    verified: null,
    mode: "test",
    state: "in_review",
    outcome: "referred",
    external_reference: "",
    metadata: {},
    claimed: {},
    workflow: { id: "wfv_1", name: "default", number: 1, liveness_notice: "" },
    document_kind: "passport",
    country: null,
    last_problem: null,
    locale: "en",
    return_url: "",
    applicant: null,
    created_at: "2026-11-21T11:31:00Z",
    link_expires_at: "2026-11-21T11:31:00Z",
    expires_at: null,
    opened_at: null,
    submitted_at: null,
    decided_at: null,
    erased_at: null,
    follows: null,
    followed_by: null,
    keeping: { pictures_until: null, report_until: null, pictures_erased_at: null, held_since: null },
  },
  holds: [],
  receipt: null,
  report: {
    document: { kind: "passport", issuer: "UTO", mrz: null },
    checks,
    claims: [],
    notices: [],
    made_at: "2026-11-21T11:31:00Z",
    digest: "",
  },
  decisions: [],
  captures,
  artifacts,
  timeline: [],
  case: null,
  reviews: [],
  members: [],
});

const page = capture("cap_page", "document_image");
const run = capture("cap_run", "frames");
const track = (data: unknown): SessionFile["artifacts"] => [
  { id: "art_1", capture: "cap_run", kind: "liveness_track", side: "", present: true, absent: "", data },
];

describe("signals", () => {
  it("stand with the capture that shows them, and what has passed shows none", () => {
    const all = file([head, edits, passed], [page, run]);
    expect(signalsOf(all, page).map(({ check: { kind } }) => kind)).toEqual(["document.edits"]);
    expect(signalsOf(all, run).map(({ check: { kind } }) => kind)).toEqual(["liveness.head"]);
    expect([head, edits, passed].map((one) => whereOf(all, one)?.id)).toEqual(["cap_run", "cap_page", undefined]);
  });

  it("are about the newest try of a step", () => {
    const newer = capture("cap_newer", "document_image", { created_at: "2026-11-21T11:34:00Z" });
    const all = file([edits], [page, newer]);
    expect([signalsOf(all, page).length, signalsOf(all, newer).length]).toEqual([0, 1]);
  });

  it("frame the regions that they suspect, once, whether the report or the page says where", () => {
    const measured = { signs: { edits: [{ suspect: true, box }] } };
    const art: SessionFile["artifacts"] = [
      { id: "art_2", capture: "cap_page", kind: "page", side: "front", present: true, absent: "", data: measured },
    ];
    expect(suspectsOf(file([edits], [page], art), page)).toEqual([{ kind: "edited", box, label: "portrait" }]);
    expect(suspectsOf(file([], [page], art), page)).toEqual([{ kind: "edited", box, label: "edited" }]);
    expect(suspectsOf(file([], [page]), page)).toEqual([]);
  });
});

describe("the film of a challenge", () => {
  it.each([
    ["few frames are all shown", 5, [], [0, 1, 2, 3, 4]],
    ["a marked one is among those that are chosen", 8, [5], [0, 2, 4, 5]],
    ["one that the run has not is left out", 4, [9, -1], [0, 1, 2, 3]],
  ])("%s", (_, count, wanted, shown) => expect(chosenFrames(count, wanted, count === 8 ? 4 : 24)).toEqual(shown));

  it("never shows more than the server lays side by side", () =>
    expect(
      chosenFrames(
        90,
        Array.from({ length: 90 }, (_, i) => i),
      ).length,
    ).toBe(24));

  it("says above each frame what was asked for, and marks what shows the signal", () => {
    const data = {
      challenge: {
        prompts: [
          { move: "left", at_ms: 1000, for_ms: 1000 },
          { move: "sideways", at_ms: 4000, for_ms: 10 },
        ],
      },
      frames: Array.from({ length: 24 }, (_, i) => ({ at_ms: i * 250 })),
    };
    const film = filmOf(file([head], [run], track(data)), run);
    expect(film?.map(({ move }) => move || "-").join(" ")).toBe(
      "- - - - left left left left left left left - - - - - - - - - - - - -",
    );
    expect(film?.filter(({ marks }) => marks.length > 0).map(({ index }) => index)).toEqual([20]);
  });

  it.each([[null], [{}], [{ frames: "none" }]])("is not there for a run that was not looked at: %j", (data) =>
    expect(filmOf(file([head], [run], track(data)), run)).toBeNull(),
  );
});

describe("how often a signal errs", () => {
  const rates = { bpcer: 0.02, apcer: 0.5, data_set: "a set", on_people: false };
  it.each<[string, string, Partial<Finding>, RegExp]>([
    ["both ways", "liveness.head", { error_rates: rates }, /flags 2 % .* misses 50 % .* generated data only \(a set\)/],
    ["on people", "liveness.passive", { error_rates: { ...rates, on_people: true } }, /on real people/],
    ["not at all", "document.edits", {}, /was not measured/],
    [
      "one way",
      "liveness.head",
      { error_rates: { bpcer: 0.02, data_set: "a set", on_people: false } },
      /its miss rate was not measured/,
    ],
    [
      "by the ceiling",
      "face.match",
      { measures: { ceiling: 0.94, genuine_above_ceiling: 0.001 }, error_rates: rates },
      /0\.1 % of pairs .* are as alike as 0\.94/,
    ],
  ])("is said where it was measured %s", (_, kind, finding, said) =>
    expect(ratesText(kind, { outcome: "fail", reasons: [], ...finding })).toMatch(said),
  );
});
