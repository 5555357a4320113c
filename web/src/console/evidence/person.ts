import type { SessionFile } from "../../api/wire.ts";
import { fullName } from "../parts/person.ts";

/** The name of a session's person: as verified, else as it was stated; empty where neither is known or may be seen. */
export function personOf({ verified, session }: Pick<SessionFile, "verified" | "session">): string {
  const read = {
    given_names: verified?.given_names?.value ?? "",
    family_name: verified?.family_name?.value ?? "",
  };
  return fullName(read) || fullName(session.claimed);
}
