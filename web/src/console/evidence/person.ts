import type { SessionFile } from "../../api/wire.ts";

const joined = (given: string | null | undefined, family: string | null | undefined): string =>
  [given, family].filter(Boolean).join(" ");

/** The name of a session's person: as verified, else as it was stated; empty where neither is known or may be seen. */
export function personOf({ verified, session }: Pick<SessionFile, "verified" | "session">): string {
  const { given_names, family_name } = session.claimed;
  return joined(verified?.given_names?.value, verified?.family_name?.value) || joined(given_names, family_name);
}
