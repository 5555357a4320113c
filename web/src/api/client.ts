import createClient from "openapi-fetch";
import { failureOf, Unreachable } from "./failure.ts";
import type { paths } from "./schema.d.ts";

/** The generated client of the server that this page came from. Fetch is looked up at each call, so that tests can answer. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  cache: "no-store",
  querySerializer: { array: { style: "form", explode: false } },
  fetch: (request) => globalThis.fetch(request),
});

/** The body of an answer, or the error that it is: Refused with a problem, or Unreachable. */
export async function answered<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  if (!response.ok || data === undefined) throw failureOf(response.status, error, response.headers.get("Retry-After"));
  return data;
}
