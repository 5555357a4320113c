/** What the person's page and the page that shows it say to each other. A change that breaks either raises the number. */
export const protocol = 1;

/** What is asked for now; "handoff" while another device does it. New kinds can come. */
export type Step =
  | "consent"
  | "choose"
  | "document_front"
  | "document_back"
  | "selfie"
  | "handoff"
  | (string & Record<never, never>);

/** That it is over, and no verdict: that is told by webhook and API, never by a browser. */
export type Result = "decided" | "in_review" | "expired" | "cancelled";

const results: readonly string[] = ["decided", "in_review", "expired", "cancelled"] satisfies Result[];
const isResult = (value: unknown): value is Result => typeof value === "string" && results.includes(value);

/** What the person's page tells. */
export type PageMessage =
  | { type: "ready" }
  | { type: "step"; step: Step }
  | { type: "submitted" }
  | { type: "result"; state: Result }
  | { type: "problem"; code: string }
  | { type: "size"; height: number };

const word = /^[a-z][a-z_]{0,39}$/;
const code = /^[a-z][a-z_]{0,39}(\.[a-z][a-z_]{0,39})?$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A message that has the form of one, made anew from what was checked; null for everything else. */
export function readMessage(data: unknown): PageMessage | null {
  if (!isObject(data) || data.bonafide !== protocol) return null;
  const { type, step, state, code: named, height } = data;
  const only = (fields: number) => Object.keys(data).length === fields + 2;
  if ((type === "ready" || type === "submitted") && only(0)) return { type };
  if (type === "step" && only(1) && typeof step === "string" && word.test(step)) return { type, step };
  if (type === "result" && only(1) && isResult(state)) return { type, state };
  if (type === "problem" && only(1) && typeof named === "string" && code.test(named)) return { type, code: named };
  if (type === "size" && only(1) && typeof height === "number" && height >= 0 && height <= 20_000)
    return { type, height: Math.ceil(height) };
  return null;
}

/** The one thing that the page around asks: take the focus. */
export const isFocus = (data: unknown): boolean =>
  isObject(data) && data.bonafide === protocol && data.type === "focus" && Object.keys(data).length === 2;
