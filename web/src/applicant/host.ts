// The page that shows this one, if one does: it names itself behind the link's #. Whether it may be told anything is for the
// part that is loaded then; nobody else loads it.
const load = /^#host=/.test(location.hash) ? () => import("./host/telling.ts") : undefined;

type Telling = typeof import("./host/telling.ts");

/** Does something with the page around, where there is one. */
export const withHost = (act: (telling: Telling) => void): void => void load?.().then(act, () => undefined); // the check goes on without it
