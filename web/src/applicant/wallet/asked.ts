/** What a request asks for first: the type of a credential, and paths of claims. */
export type Asked = { type: string; claims: string[] };

const isRecord = (v: unknown): v is Readonly<Record<string, unknown>> => typeof v === "object" && v !== null;
const field = (v: unknown, name: string): unknown => (isRecord(v) ? v[name] : undefined);
const list = (v: unknown): readonly unknown[] => (Array.isArray(v) ? v : []);

/** The parameters of a request of the browser's API, which a signed one has in the middle of its token. */
function parametersOf(request: unknown): unknown {
  const data = field(request, "data");
  const token = field(data, "request");
  if (typeof token !== "string") return data;
  const middle = token.split(".")[1] ?? "";
  const bytes = Uint8Array.from(atob(middle.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Reads what the first of the requests asks for first; null for what is not OpenID4VP. */
export function askedOf(requests: readonly unknown[]): Asked | null {
  const query = field(parametersOf(requests[0]), "dcql_query");
  const credential = list(field(query, "credentials"))[0];
  const meta = field(credential, "meta");
  const type = list(field(meta, "vct_values"))[0] ?? field(meta, "doctype_value");
  if (typeof type !== "string") return null;
  const claims = list(field(credential, "claims")).map((claim) =>
    list(field(claim, "path"))
      .filter((step) => typeof step === "string")
      .join(" / "),
  );
  return { type, claims };
}
