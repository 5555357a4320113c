// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { asking, people, personOf, signals, withCheck, withStep } from "./asks.ts";

const check = (name: string, selfie = false, signal = false) => ({ check: name, always: false, selfie, signal });
const language: RuleLanguage = {
  variables: [],
  functions: [],
  examples: [],
  limits: { rules: 1, condition: 1, name: 1, reasons: 1 },
  reasons: [],
  countries: [],
  documents: [],
  face_fmr: [],
  steps: (["consent", "choose", "document_front", "document_back", "selfie"] as const).map((step) => ({
    step,
    always: false,
  })),
  checks: [
    check("document.readable"),
    check("document.mrz"),
    check("face.selfie", true),
    check("face.match", true),
    check("liveness.passive", true, true),
    check("liveness.challenge", true),
    check("liveness.head", true, true),
    check("liveness.light", true, true),
    check("liveness.replay", true),
  ],
};
const spec: WorkflowSpec = {
  steps: ["consent", "choose", "document_front", "selfie"],
  required: [
    "document.readable",
    "face.selfie",
    "face.match",
    "liveness.passive",
    "liveness.challenge",
    "liveness.head",
    "liveness.replay",
  ],
  documents: [],
  countries: [],
  accept_specimens: false,
  minimum_age: 0,
  face_fmr: "1e-4",
  face_refer_fmr: "1e-3",
  step_attempts: 3,
  session_attempts: 40,
  link_hours: 48,
  session_hours: 24,
  two_persons: false,
  not_by_creator: false,
  retention: { pictures_hours: 0, report_hours: 0 },
  brand: { name: "", colour: "", logo: "", support: "", privacy: "", languages: [], hello: [] },
  rules: [],
};

describe("what a version asks for", () => {
  it.each(people)("changes to %s and back without touching anything else", (person) => {
    const changed = asking(spec, person, language);
    expect(personOf(changed)).toBe(person);
    expect(asking(changed, "live", language)).toEqual(spec);
  });

  it("leaves nothing about faces where there is no selfie", () => {
    expect(asking(spec, "none", language)).toMatchObject({
      steps: ["consent", "choose", "document_front"],
      required: ["document.readable"],
    });
  });

  it("offers the signals that a way can have, and switches on those that are new to it", () => {
    const picture = asking(spec, "picture", language);
    expect(signals(picture)).toEqual(["liveness.passive"]);
    expect(picture.required).toEqual(["document.readable", "face.selfie", "face.match", "liveness.passive"]);
    expect(signals(asking(spec, "none", language))).toEqual([]);
    const off = withCheck(spec, "liveness.passive", false, language);
    expect(asking(off, "picture", language).required).not.toContain("liveness.passive");
    expect(asking(asking(off, "picture", language), "live", language).required).toContain("liveness.head");
  });

  it("leaves light off until somebody switches it on, and then as it is", () => {
    const live = asking(asking(spec, "picture", language), "live", language);
    expect(signals(live)).toContain("liveness.light");
    expect(live.required).not.toContain("liveness.light");
    const lit = withCheck(live, "liveness.light", true, language);
    expect(asking(lit, "live", language)).toEqual(lit);
    expect(asking(lit, "picture", language).required).not.toContain("liveness.light");
  });

  it("leaves a signal off that somebody switched off", () => {
    const off = withCheck(spec, "liveness.head", false, language);
    expect(asking(off, "live", language)).toEqual(off);
  });

  it("keeps steps and checks in the server's order, whatever is added last", () => {
    expect(withStep(spec, "document_back", true, language).steps).toEqual([
      "consent",
      "choose",
      "document_front",
      "document_back",
      "selfie",
    ]);
    expect(withCheck(spec, "document.mrz", true, language).required.slice(0, 3)).toEqual([
      "document.readable",
      "document.mrz",
      "face.selfie",
    ]);
    expect(withCheck(spec, "face.match", false, language).required).not.toContain("face.match");
  });
});
