import type { Me, SessionFile } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";

type Why = ConsoleKey | null;

/** The last characters of an id: enough to tell that the right thing is meant. */
export const tailOf = (id: string): string => id.slice(-6);

/** Why somebody can set and lift no legal hold; null if they can. The server asks the same again. */
export const whyNoHold = (me: Me): Why => (me.may.includes("sessions.erase") ? null : "keeping.why.role");

/** Why somebody cannot erase a session now; null if they can. */
export function whyNoErasing(me: Me, file: SessionFile): Why {
  return whyNoHold(me) ?? (file.session.keeping.held_since ? "keeping.why.held" : null);
}

/** Why somebody can export nothing; null if they can. */
export const whyNoExport = (me: Me): Why => (me.may.includes("sessions.export") ? null : "keeping.why.role");
