import type { Peeked } from "../../src/api/wire.ts";
import type { Api, State } from "./state.ts";
import { flow, front, peek, peeked, problem, start } from "./steps.ts";

const opened = (continues: Peeked["continues"]): Api => ({
  [peek]: { json: { ...peeked, state: "capturing", continues } },
});

/** What becomes of a check whose tab was closed, or whose link is opened in another browser. */
export const resumeStates: State[] = [
  start("link-continues", opened("free"), /Continue where you left off/),
  start("link-elsewhere", opened("proof"), /another browser/),
  flow("continued-elsewhere", front, /another tab or browser/, {
    api: {
      "GET /v1/applicant/task": {
        status: 409,
        json: problem("session.continued", "This check continues in another tab or browser.", "", 409),
      },
    },
  }),
];
