import type { Problem } from "./wire.ts";

/** The server answered, and the answer is a problem of its catalogue. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** No answer came: offline, the connection broke, or something before the server answered in its place. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string" && "title" in body;

/** Makes the error of an answer that is not a success. */
export function failureOf(status: number, body: unknown): Refused | Unreachable {
  if (isProblem(body)) return new Refused(body);
  return new Unreachable(`answer ${status} without a problem`);
}

/** Whether sending the same thing again later can help. */
export function passing(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && (error.problem.status >= 500 || error.problem.status === 429);
}
