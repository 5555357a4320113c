import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";

/** How a version asks for the person: a selfie that answers a challenge, one picture, or nothing. */
export type Person = "live" | "picture" | "none";

/** The checks that each way rests on. The server refuses every other mixture of them. */
const wayOf: Record<Person, readonly string[]> = {
  live: ["face.selfie", "face.match", "liveness.challenge", "liveness.replay"],
  picture: ["face.selfie", "face.match"],
  none: [],
};

/** The signals that each way can have: switches, which refer and never decline. */
const signalsOf: Record<Person, readonly string[]> = {
  live: ["liveness.passive", "liveness.head", "liveness.light"],
  picture: ["liveness.passive"],
  none: [],
};

/** Those that somebody has to switch on: too many people go to a reviewer for them. */
const off: readonly string[] = ["liveness.light"];

export const people = ["live", "picture", "none"] as const satisfies readonly Person[];

export function personOf(spec: WorkflowSpec): Person {
  if (!spec.steps.includes("selfie")) return "none";
  return spec.required.includes("liveness.challenge") ? "live" : "picture";
}

/** The signals that a version can switch on or off. */
export const signals = (spec: WorkflowSpec): readonly string[] => signalsOf[personOf(spec)];

/**
 * The same version with another way to ask for the person; everything stays in the server's order. A signal that the version could
 * have before stays as it is, and one that it could not is switched on, but for those that are off at first.
 */
export function asking(spec: WorkflowSpec, person: Person, language: RuleLanguage): WorkflowSpec {
  const before = signals(spec);
  const on = signalsOf[person].filter(
    (one) => (!before.includes(one) && !off.includes(one)) || spec.required.includes(one),
  );
  const wanted = [...wayOf[person], ...on];
  const ofPerson = (check: string) => wayOf.live.includes(check) || signalsOf.live.includes(check);
  return {
    ...spec,
    steps: language.steps
      .map(({ step }) => step)
      .filter((step) => (step === "selfie" ? person !== "none" : spec.steps.includes(step))),
    required: language.checks
      .map(({ check }) => check)
      .filter((check) => (ofPerson(check) ? wanted.includes(check) : spec.required.includes(check))),
  };
}

/** The same version with a step or without it. */
export const withStep = (spec: WorkflowSpec, step: string, on: boolean, language: RuleLanguage): WorkflowSpec => ({
  ...spec,
  steps: language.steps.map((one) => one.step).filter((one) => (one === step ? on : spec.steps.includes(one))),
});

/** The same version with a check required or not. */
export const withCheck = (spec: WorkflowSpec, check: string, on: boolean, language: RuleLanguage): WorkflowSpec => ({
  ...spec,
  required: language.checks.map((one) => one.check).filter((one) => (one === check ? on : spec.required.includes(one))),
});

/** What is made of the chip of a document, and the checks that then count in any case. */
export const chipUses = ["off", "offered", "required"] as const;
export type ChipUse = (typeof chipUses)[number];
export const chipAlways: readonly string[] = ["chip.authentic", "chip.zone"];
export const isChip = (check: string): boolean => check.startsWith("chip.");
export const chipUseOf = (spec: WorkflowSpec): ChipUse => spec.chip ?? "off";

/** The same version with another use of chips. Who begins to take them requires every check of theirs, and can leave some out then. */
export function withChip(spec: WorkflowSpec, chip: ChipUse, language: RuleLanguage): WorkflowSpec {
  const before = chipUseOf(spec) !== "off";
  const kept = (check: string) => (before ? spec.required.includes(check) || chipAlways.includes(check) : true);
  return {
    ...spec,
    chip,
    required: language.checks
      .map(({ check }) => check)
      .filter((check) => (isChip(check) ? chip !== "off" && kept(check) : spec.required.includes(check))),
  };
}
