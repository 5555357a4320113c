import type { Mode, WorkflowSpec } from "../../api/wire.ts";

/** A workflow as a file. Its logo stays where it is kept: a file of words and numbers can be read before it is taken. */
type WorkflowFile = { bonafide_workflow: 1; name: string; mode: Mode; exported_at: string; spec: WorkflowSpec };

/** The largest file that is read, in bytes. */
export const largestFile = 256 * 1024;

export const fileOf = (name: string, mode: Mode, spec: WorkflowSpec, now: number): WorkflowFile => ({
  bonafide_workflow: 1,
  name,
  mode,
  exported_at: new Date(now).toISOString(),
  spec: { ...spec, brand: { ...spec.brand, logo: "" } },
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether something has the form of a specification. What its fields say, the server checks. */
const isSpec = (value: unknown): value is WorkflowSpec =>
  isObject(value) &&
  Array.isArray(value.steps) &&
  Array.isArray(value.required) &&
  Array.isArray(value.rules) &&
  isObject(value.retention) &&
  isObject(value.brand);

/** Reads a file; null for what is none of a workflow. A draft keeps its own logo, and accepts specimens in test mode alone. */
export function readFile(
  text: string,
  onto: WorkflowSpec,
  mode: Mode,
): Pick<WorkflowFile, "name" | "exported_at" | "spec"> | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(read) || read.bonafide_workflow !== 1 || !isSpec(read.spec)) return null;
  return {
    name: typeof read.name === "string" ? read.name.slice(0, 40) : "",
    exported_at: typeof read.exported_at === "string" ? read.exported_at : "",
    spec: {
      ...read.spec,
      accept_specimens: mode === "test" && read.spec.accept_specimens,
      brand: { ...read.spec.brand, logo: onto.brand.logo },
    },
  };
}
