import type { Mode, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";

type FlagField =
  | "face_optional"
  | "live_capture"
  | "another_document"
  | "two_persons"
  | "not_by_creator"
  | "accept_specimens";
type CountField = "minimum_age" | "step_attempts" | "session_attempts" | "quality_share";
type HoursField = "link_hours" | "session_hours" | "case_hours";
type KeptField = "pictures_hours" | "report_hours";
type FaceField = "face_fmr" | "face_refer_fmr";

/** A part of the editor that is more than a field: each has a component of its own in Spec. */
export type Part =
  | "asks"
  | "chip"
  | "wallet"
  | "screening"
  | "seen"
  | "signals"
  | "checks"
  | "documents"
  | "countries"
  | "rules"
  | "brand"
  | "embedding";

/** One row of a section. A new field of the specification is a new row here, with its words in the dictionary. */
export type Row =
  | { kind: "part"; part: Part; at: readonly string[] }
  | { kind: "count"; field: CountField; most: number; hint?: ConsoleKey }
  | { kind: "hours"; field: HoursField; hint?: ConsoleKey }
  | { kind: "kept"; field: KeptField; hint: ConsoleKey }
  | { kind: "flag"; field: FlagField; only?: Mode }
  | { kind: "face"; field: FaceField }
  | { kind: "choice"; field: "assurance" | "settled_by"; values: readonly string[]; hint: ConsoleKey };

export const sectionIds = [
  "ask",
  "documents",
  "checks",
  "faces",
  "decision",
  "review",
  "limits",
  "retention",
  "look",
] as const;
export type SectionId = (typeof sectionIds)[number];

const part = (name: Part, ...at: readonly string[]): Row => ({ kind: "part", part: name, at });

/** The editor: what each section holds, in its order. */
export const sections: Record<SectionId, readonly Row[]> = {
  ask: [
    part("asks", "/steps"),
    { kind: "flag", field: "live_capture" },
    { kind: "flag", field: "another_document" },
    { kind: "flag", field: "face_optional" },
  ],
  documents: [
    part("documents", "/documents"),
    part("countries", "/countries"),
    { kind: "count", field: "minimum_age", most: 120 },
    { kind: "flag", field: "accept_specimens", only: "test" },
    {
      kind: "choice",
      field: "settled_by",
      values: ["machine", "two_sources", "two_readers"],
      hint: "spec.settled_by_hint",
    },
    part("chip", "/chip"),
    part("wallet", "/wallet", "/wallet_asks", "/wallet_instead", "/wallet_others"),
  ],
  checks: [
    part("checks", "/required"),
    part("signals", "/signals"),
    part("screening", "/screening"),
    part("seen", "/seen"),
  ],
  faces: [
    { kind: "face", field: "face_fmr" },
    { kind: "face", field: "face_refer_fmr" },
  ],
  decision: [
    { kind: "choice", field: "assurance", values: ["low", "substantial", "high"], hint: "spec.assurance_hint" },
    part("rules", "/rules"),
  ],
  review: [
    { kind: "hours", field: "case_hours", hint: "spec.case_hours_hint" },
    { kind: "count", field: "quality_share", most: 100, hint: "spec.quality_share_hint" },
    { kind: "flag", field: "two_persons" },
    { kind: "flag", field: "not_by_creator" },
  ],
  limits: [
    { kind: "hours", field: "link_hours" },
    { kind: "hours", field: "session_hours" },
    { kind: "count", field: "step_attempts", most: 1000 },
    { kind: "count", field: "session_attempts", most: 1000 },
  ],
  retention: [
    { kind: "kept", field: "pictures_hours", hint: "spec.zero_hint" },
    { kind: "kept", field: "report_hours", hint: "spec.zero_hint" },
  ],
  look: [part("brand", "/brand"), part("embedding", "/embed_origins")],
};

/** Where in a specification a row's problems are found. */
export function placesOf(row: Row): readonly string[] {
  if (row.kind === "part") return row.at;
  return [row.kind === "kept" ? `/retention/${row.field}` : `/${row.field}`];
}

const within = (field: string, place: string) => field === place || field.startsWith(`${place}/`);

/** Whether a problem belongs to a row. */
export const isAt = (field: string, row: Row): boolean => placesOf(row).some((place) => within(field, place));

/** The problems of a section. */
export const issuesIn = (id: SectionId, issues: readonly WorkflowIssue[]): WorkflowIssue[] =>
  issues.filter(({ field }) => sections[id].some((row) => isAt(field, row)));

/** Problems that belong to no row: they are shown above all sections. */
export const issuesElsewhere = (issues: readonly WorkflowIssue[]): WorkflowIssue[] =>
  issues.filter(({ field }) => !sectionIds.some((id) => sections[id].some((row) => isAt(field, row))));

/** The fields of a specification that no row stands for; a test keeps it empty. */
export function fieldsWithout(spec: WorkflowSpec): string[] {
  const places = sectionIds.flatMap((id) => sections[id].flatMap(placesOf));
  return Object.keys(spec).filter((field) => !places.some((place) => within(place, `/${field}`)));
}
