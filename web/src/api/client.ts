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

/** Returns the body of an answer. Throws Refused for a problem of the server, Unreachable where none answered. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  if (!response.ok || data === undefined) throw failureOf(response.status, error, response.headers.get("Retry-After"));
  return data;
}
