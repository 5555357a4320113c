import { describe, expect, it } from "vitest";
import type { Check, SessionFile } from "../src/api/wire.ts";
import { factRows, marksOf, turnOf } from "../src/console/evidence/file.ts";
import { oneIn, placeOf } from "../src/console/evidence/Ruler.tsx";
import { checkLook, failingFirst } from "../src/console/states.ts";

const check = (kind: string, lifecycle: Check["lifecycle"], outcome?: "pass" | "fail" | "inconclusive"): Check => ({
  kind,
  lifecycle,
  required: true,
  duration_ns: 0,
  ...(outcome ? { finding: { outcome, reasons: [] } } : {}),
});

describe("checks", () => {
  it("come failing first, and what was not run before what has passed", () => {
    const shuffled = [
      check("a", "settled", "pass"),
      check("b", "skipped"),
      check("c", "broken"),
      check("d", "settled", "fail"),
      check("e", "settled", "inconclusive"),
    ];
    expect(failingFirst(shuffled).map(({ kind }) => kind)).toEqual(["d", "e", "c", "a", "b"]);
  });

  it.each([
    ["broken", check("a", "broken"), "idle", "checks.broken"],
    ["settled without a finding", check("a", "settled"), "idle", "checks.broken"],
    ["passed", check("a", "settled", "pass"), "pass", "checks.pass"],
    ["a finding of a check that is still running", check("a", "running", "pass"), "running", "checks.running"],
  ])("one that is %s looks like that", (_, one, shape, word) => expect(checkLook(one)).toEqual({ shape, word }));
});

describe("the face ruler", () => {
  it("puts rarer false matches further right, a decade a step", () => {
    const steps = [1e-2, 1e-3, 1e-4, 1e-5].map(placeOf);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect((steps[1] ?? 0) - (steps[0] ?? 0)).toBeCloseTo((steps[3] ?? 0) - (steps[2] ?? 0), 9);
    expect([placeOf(1), placeOf(0)]).toEqual([0, 1]);
  });

  it("says rates as people do", () => expect([oneIn(1e-4), oneIn(0.01)]).toEqual(["1 : 10,000", "1 : 100"]));
});

const file = (
  claims: NonNullable<SessionFile["report"]>["claims"],
  checks: Check[],
  claimed: Record<string, string> = {},
): SessionFile => ({
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
    claimed,
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
    claims,
    notices: [],
    made_at: "2026-11-21T11:31:00Z",
    digest: "",
  },
  decisions: [],
  captures: [],
  artifacts: [],
  timeline: [],
  case: null,
  reviews: [],
  members: [],
});

describe("the field table", () => {
  it("has a row a fact in the order people look for them, and marks what a check found to disagree, not what looks different", () => {
    const disagree: Check = {
      ...check("document.facts", "settled"),
      finding: {
        outcome: "fail",
        reasons: [{ code: "document.facts_disagree", claim: "date_of_birth", sources: ["printed", "mrz"] }],
      },
    };
    const rows = factRows(
      file(
        [
          { name: "date_of_birth", value: "1984-10-21", source: "printed", confidence: 0.9 },
          { name: "date_of_birth", value: "1984-10-27", source: "mrz", confidence: 0.9 },
          { name: "family_name", value: "MÜLLER", source: "printed", confidence: 0.9 },
          { name: "family_name", value: "MUELLER", source: "mrz", confidence: 0.9 },
        ],
        [disagree],
        { given_names: "Oskar" },
      ),
    );
    expect(rows.map(({ name }) => name)).toEqual(["family_name", "given_names", "date_of_birth"]);
    expect(rows.map(({ disagree: marked }) => [...marked])).toEqual([[], [], ["printed", "mrz"]]);
    expect(rows[1]?.cells.claimed?.value).toBe("Oskar");
  });
});

it.each([
  [0, 0],
  [1, 1],
  [5, 1],
  [-1, 3],
])("a page that says %s quarter turns is turned by %s", (turn, wanted) => {
  expect(
    turnOf(
      [{ id: "art_1", capture: "cap_1", kind: "page", side: "front", present: true, absent: "", data: { turn } }],
      "cap_1",
    ),
  ).toBe(wanted);
});

it("the regions of a page that are suspected of editing are marked, and no others", () => {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.1 };
  const edit = (suspect: unknown, at: unknown) => ({
    sign: "print_history",
    region: "zone",
    value: 1,
    suspect,
    box: at,
  });
  const marks = (data: unknown) => {
    const page = {
      id: "art_1",
      capture: "cap_1",
      kind: "page",
      side: "front",
      present: true,
      absent: "",
      data,
    } as const;
    return marksOf({ ...file([], []), artifacts: [page] }, "cap_1");
  };
  const signs = { edits: [edit(true, box), edit(false, box), edit(true, { x: 1 }), edit(true, { ...box, y: 0.5 })] };
  expect(marks({ signs })).toEqual([
    { kind: "edited", box, label: "edited" },
    { kind: "edited", box: { ...box, y: 0.5 }, label: "edited" },
  ]);
  expect([marks({}), marks({ signs: {} }), marks({ signs: null })]).toEqual([[], [], []]);
});

it("facts that were not read surely enough are marked where they are printed", () => {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.05 };
  const page = {
    id: "art_1",
    kind: "page",
    capture: "cap_1",
    side: "front",
    producer: "bonafide",
    version: "3",
    present: true,
    absent: "",
    data: { look_at: [{ name: "family_name", value: "X", confidence: 0.7, box }, { name: "sex" }, { box }, null] },
  } as const;
  expect(marksOf({ ...file([], []), artifacts: [page] }, "cap_1")).toEqual([
    { kind: "likely", box, label: "family_name" },
  ]);
});
