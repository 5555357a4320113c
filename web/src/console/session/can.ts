import type { Me, SessionFile } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";

type Why = ConsoleKey | null;

/** Returns why somebody cannot set or lift a legal hold; null if they can. The server checks it again. */
export const whyNoHold = (me: Me): Why => (me.may.includes("sessions.erase") ? null : "keeping.why.role");

/** Returns why somebody cannot erase a session now; null if they can. */
export function whyNoErasing(me: Me, file: SessionFile): Why {
  return whyNoHold(me) ?? (file.session.keeping.held_since ? "keeping.why.held" : null);
}

/** Returns whether a face of a session is compared with those of others, as its person agreed and nobody took that back since. */
export const isCompared = ({ report, timeline }: SessionFile): boolean =>
  (report?.checks ?? []).some(({ finding }) => finding?.seen?.gallery?.consented) &&
  !timeline.some(({ type }) => type === "session.face_withdrawn");

/** Returns why somebody cannot export a session; null if they can. */
export const whyNoExport = (me: Me): Why => (me.may.includes("sessions.export") ? null : "keeping.why.role");

/** Returns whether somebody can make a new link for a session: while it is not finished. */
export const mayRenewLink = (me: Me, { session }: SessionFile): boolean =>
  me.may.includes("sessions.write") && ["created", "capturing", "processing", "in_review"].includes(session.state);
