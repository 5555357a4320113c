import type { Problem } from "./wire.ts";

/** The server answered, and the answer is a problem of its catalogue. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly problem: Problem;
  /** How long the server asks to wait before the same is sent again, ms; 0 where it does not say. */
  readonly after: number;
  constructor(problem: Problem, after = 0) {
    super(problem.code);
    this.problem = problem;
    this.after = after;
  }
}

/** No answer came: offline, the connection broke, or something before the server answered in its place. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string" && "title" in body;

/** Makes the error of an answer that is not a success. */
export function failureOf(status: number, body: unknown, retryAfter?: string | null): Refused | Unreachable {
  if (isProblem(body)) return new Refused(body, secondsOf(retryAfter) * 1000);
  return new Unreachable(`answer ${status} without a problem`);
}

/** Retry-After as this server states it: whole seconds. */
const secondsOf = (header: string | null | undefined): number => (/^\d{1,4}$/.test(header ?? "") ? Number(header) : 0);

/** Returns whether the server only has no capacity at the moment, or limits this client's rate. */
export const isBusy = (error: unknown): error is Refused =>
  error instanceof Refused && (error.problem.code === "unavailable" || error.problem.code === "rate.limited");

/** Returns whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && (error.problem.status >= 500 || [408, 429].includes(error.problem.status));
}
