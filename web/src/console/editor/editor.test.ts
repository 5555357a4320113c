// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { fileOf, readFile } from "./file.ts";
import { fieldsWithout, issuesElsewhere, issuesIn } from "./sections.ts";
import { hoursOf, inUnit, unitOf } from "./span.ts";
import { fromTemplate, templates } from "./templates.ts";

const spec: WorkflowSpec = {
  steps: ["consent", "choose", "document_front", "document_back", "selfie"],
  documents: [],
  countries: [],
  accept_specimens: true,
  minimum_age: 0,
  required: ["document.readable", "face.selfie", "face.match", "liveness.challenge", "liveness.replay"],
  face_fmr: "1e-4",
  face_refer_fmr: "1e-3",
  step_attempts: 3,
  session_attempts: 40,
  link_hours: 48,
  session_hours: 24,
  embed_origins: [],
  face_optional: false,
  live_capture: false,
  another_document: false,
  assurance: "low",
  settled_by: "machine",
  chip: "off",
  two_persons: false,
  not_by_creator: false,
  case_hours: 0,
  quality_share: 0,
  retention: { pictures_hours: 0, report_hours: 0 },
  rules: [],
  brand: { name: "Bank", colour: "", logo: "aa11", support: "", privacy: "", languages: [], hello: [] },
};

const check = (name: string) => ({ check: name, always: false, selfie: false, signal: false });
const language: Pick<RuleLanguage, "steps" | "checks"> = {
  steps: spec.steps.map((step) => ({ step, always: false })),
  checks: [...spec.required, "chip.authentic", "chip.zone", "liveness.passive", "liveness.head"].map(check),
};
const whole: RuleLanguage = {
  ...language,
  countries: [],
  documents: ["passport", "id_card", "residence_permit", "driving_licence"],
  examples: [],
  face_fmr: ["1e-4"],
  functions: [],
  limits: { condition: 1, name: 1, reasons: 1, rules: 1 },
  reasons: [],
  variables: [],
};

const issue = (field: string) => ({ field, code: "workflow.invalid" as const, message: "No.", line: 0, column: 0 });

describe("the sections of the editor", () => {
  it("have a row for every field of a specification", () => {
    expect(fieldsWithout(spec)).toEqual([]);
  });

  it("count a problem where its field is, also below it", () => {
    const issues = [issue("/rules/0/when"), issue("/retention/pictures_hours"), issue("/case_hours"), issue("/else")];
    expect(issuesIn("decision", issues)).toHaveLength(1);
    expect(issuesIn("retention", issues)).toHaveLength(1);
    expect(issuesIn("review", issues)).toHaveLength(1);
    expect(issuesElsewhere(issues).map(({ field }) => field)).toEqual(["/else"]);
  });
});

describe("a time in the unit of people", () => {
  it.each([
    [0, "hours", 0],
    [4, "hours", 4],
    [36, "hours", 36],
    [48, "days", 2],
    [2160, "days", 90],
  ] as const)("%i hours are said in %s", (hours, unit, n) => {
    expect(unitOf(hours)).toBe(unit);
    expect(inUnit(hours, unit)).toBe(n);
    expect(hoursOf(n, unit)).toBe(hours);
  });

  it("takes no nonsense for a time", () => {
    expect([hoursOf("", "days"), hoursOf("x", "hours"), hoursOf(-2, "days")]).toEqual([0, 0, 0]);
  });
});

describe("a workflow as a file", () => {
  const exported = fileOf("strict", "test", spec, Date.parse("2026-11-25T12:00:00Z"));

  it("comes back as it was, with the logo of the draft that it is taken into", () => {
    const onto = { ...spec, brand: { ...spec.brand, logo: "bb22" } };
    const read = readFile(JSON.stringify(exported), onto, "test");
    expect(read?.name).toBe("strict");
    expect(read?.spec).toEqual({ ...spec, brand: { ...spec.brand, logo: "bb22" } });
    expect(exported.spec.brand.logo).toBe("");
  });

  it("accepts no specimens in live mode", () => {
    expect(readFile(JSON.stringify(exported), spec, "live")?.spec.accept_specimens).toBe(false);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["another form", JSON.stringify({ ...exported, bonafide_workflow: 2 })],
    ["no specification", JSON.stringify({ ...exported, spec: { steps: "all" } })],
  ])("is refused where it is %s", (_, text) => {
    expect(readFile(text, spec, "test")).toBeNull();
  });
});

describe("templates", () => {
  it.each(templates)("%s changes something, keeps the brand and stays in the server's order", (template) => {
    const made = fromTemplate(template, spec, whole);
    expect(made).not.toEqual(spec);
    expect(made.brand).toEqual(spec.brand);
    const order = whole.checks.map((one) => one.check);
    expect([...made.required].sort((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(made.required);
  });

  it("ask for a challenge wherever the assurance is substantial", () => {
    for (const template of templates) {
      const made = fromTemplate(template, spec, whole);
      if (made.assurance === "substantial") expect(made.required).toContain("liveness.challenge");
    }
  });
});
