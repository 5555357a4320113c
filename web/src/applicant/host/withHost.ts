// A page that embeds this one names itself behind the link's #. Only then are the messages loaded; they check whether that page
// may receive any.
const load = /^#host=/.test(location.hash) ? () => import("./messages.ts") : undefined;

type Messages = typeof import("./messages.ts");

/** Calls `act` with the messages for the page that embeds this one, if there is one. The check goes on if they cannot be loaded. */
export const withHost = (act: (messages: Messages) => void): void => void load?.().then(act, () => undefined);
