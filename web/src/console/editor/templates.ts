import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { asking, withChip } from "../workflows/asks.ts";

/** What a workflow can start from, by what it is for. */
export const templates = ["age_check", "account_opening", "high_risk", "staff"] as const;
export type Template = (typeof templates)[number];

const day = 24;

const identity: WorkflowSpec["documents"] = ["passport", "id_card", "residence_permit"];

function accountOpening(spec: WorkflowSpec, language: RuleLanguage): WorkflowSpec {
  return {
    ...asking(spec, "live", language),
    documents: identity,
    minimum_age: 18,
    assurance: "substantial",
    not_by_creator: true,
    case_hours: day,
    quality_share: 5,
  };
}

const changes: Record<Template, (spec: WorkflowSpec, language: RuleLanguage) => WorkflowSpec> = {
  age_check: (spec, language) => ({
    ...asking(spec, "picture", language),
    minimum_age: 18,
    assurance: "low",
    retention: { pictures_hours: day, report_hours: 30 * day },
  }),
  account_opening: accountOpening,
  high_risk: (spec, language) => ({
    ...withChip(accountOpening(spec, language), "offered", language),
    live_capture: true,
    two_persons: true,
    case_hours: 4,
    quality_share: 20,
  }),
  staff: (spec, language) => ({
    ...asking(spec, "live", language),
    documents: identity,
    another_document: true,
    face_optional: true,
    not_by_creator: true,
    retention: { ...spec.retention, pictures_hours: 7 * day },
  }),
};

/** A specification as a template changes it. The server checks it like any other draft. */
export const fromTemplate = (template: Template, spec: WorkflowSpec, language: RuleLanguage): WorkflowSpec =>
  changes[template](spec, language);
