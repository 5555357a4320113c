import type { Check, SessionFile } from "../../src/api/wire.ts";
import { signedIn } from "./desk.ts";
import { base, check, checks, digest, face, file, id, session } from "./specimen.ts";
import type { Api, State } from "./state.ts";

// What reviewers see behind a signal: regions of a page, and frames of a run.

const rates = { bpcer: 0.021, apcer: 0.14, data_set: "runs of generated heads", on_people: false };

const edits: Check = check("document.edits", {
  outcome: "fail",
  reasons: [{ code: "document.edited", step: "document_front" }],
  score: 0.92,
  threshold: 0.65,
  error_rates: { bpcer: 0, apcer: 0.6, data_set: "generated documents", on_people: false },
  places: [
    { side: "front", box: { x: 0.118, y: 0.29, width: 0.22, height: 0.36 }, what: "portrait", value: 0.92 },
    { side: "front", box: { x: 0.38, y: 0.245, width: 0.115, height: 0.03 }, what: "family_name", value: 0.71 },
  ],
});
const turned = (frame: number, value: number) => ({ frame, what: "turned_degrees", value });
const head: Check = check("liveness.head", {
  outcome: "inconclusive",
  reasons: [{ code: "liveness.not_a_head" }],
  score: 2,
  threshold: 0,
  error_rates: { ...rates, note: "Synthetic attacks and acted people; unmeasured on live people." },
  note: "Signs: rim stays; nothing bare.",
  places: [turned(13, 24.1), turned(14, 22.8), turned(35, 21.4), turned(36, 20.9), turned(12, 19)],
});
const passive: Check = check("liveness.passive", {
  outcome: "inconclusive",
  reasons: [{ code: "liveness.failed" }],
  score: 0.31,
  threshold: 0.55,
  error_rates: { ...rates, bpcer: 0.031, apcer: 0.25 },
  places: [{ frame: 2, what: "live", value: 0.31 }],
});

const run: SessionFile["captures"][number] = {
  id: "cap_run",
  step: "selfie",
  side: "",
  kind: "frames",
  source: "camera",
  width: null,
  height: null,
  created_at: "2026-11-21T11:33:10Z",
  url: `${base}/evidence/cap_run`,
};
const track: SessionFile["artifacts"][number] = {
  id: "art_track",
  capture: "cap_run",
  kind: "liveness_track",
  side: "",
  present: true,
  absent: "",
  data: {
    challenge: {
      prompts: [
        { move: "left", at_ms: 2200, for_ms: 2000 },
        { move: "up", at_ms: 5600, for_ms: 2100 },
        { move: "right", at_ms: 9000, for_ms: 1900 },
      ],
      duration_ms: 12_000,
    },
    frames: Array.from({ length: 44 }, (_, i) => ({ at_ms: i * 270, faces: 1 })),
  },
};

const plain = file({}, []);
const referred = (found: Check[]): SessionFile => ({
  ...file(
    {
      session: session({ state: "in_review", outcome: "referred", external_reference: "customer-4717" }),
      decisions: [
        {
          id: "dec_1",
          outcome: "referred",
          reasons: found.flatMap(({ finding }) => finding?.reasons ?? []),
          rule: "needs review",
          by: "policy",
          note: "",
          report: "rep_1",
          report_digest: digest,
          decided_at: "2026-11-21T11:33:14Z",
          assurance: null,
        },
      ],
      captures: [...plain.captures.filter(({ step }) => step !== "selfie"), run],
      artifacts: [...plain.artifacts, track],
    },
    [
      ...checks(face(0.712, 0.000002, "pass", [])).filter(({ kind }) => !found.some((one) => one.kind === kind)),
      ...found,
    ],
  ),
});
export const edited = referred([edits]);
export const filmed = referred([head, passive]);

const one = (shown: SessionFile): Api => ({ ...signedIn, [`GET ${base}`]: { json: shown } });

export const signalStates: State[] = [
  {
    name: "console-session-edited",
    path: `/console/sessions/${id}`,
    api: one(edited),
    sees: "Outlined: portrait, Family name.",
  },
  {
    name: "console-session-film",
    path: `/console/sessions/${id}`,
    api: one(filmed),
    act: async ({ page }) => {
      await page.getByRole("button", { name: /head move/ }).click();
      await page.getByRole("button", { name: "Show the frames" }).click();
      await page.getByRole("list", { name: "Selfie: challenge frames" }).waitFor();
    },
    sees: "turned 24°",
  },
];
