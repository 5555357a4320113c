import type { Peeked } from "../../src/api/wire.ts";
import type { Api, State } from "./state.ts";
import { ended, flow, front, opened as hasToken, link, peek, peeked, press, problem, session, start } from "./steps.ts";

const opened = (continues: Peeked["continues"]): Api => ({
  [peek]: { json: { ...peeked, state: "capturing", continues } },
});

const gone: Api = {
  "GET /v1/applicant/task": {
    status: 409,
    json: problem("session.continued", "This check continues in another tab or browser.", "", 409),
  },
};

/** A browser that keeps the key of the session. */
const keeps = `${hasToken} localStorage.setItem("bonafide.kept", [Date.now() + 3600000, "${session}", "${link}", "key", "en", "", "lHarbour Bank"].join("\\n"));`;

/** What becomes of a check whose tab was closed, or whose link is opened in another browser. */
export const resumeStates: State[] = [
  start("link-continues", opened("free"), /Continue where you left off/),
  start("link-elsewhere", opened("proof"), /another browser/),
  flow("continued-elsewhere", front, /another tab or browser/, { api: gone }),
  flow("continued-needs-link", front, /ask Harbour Bank for a new link/, {
    before: keeps,
    api: {
      ...gone,
      "POST /v1/applicant/resume": {
        status: 409,
        json: problem("session.bound_elsewhere", "Another browser has this check.", "", 409),
      },
    },
    act: press("Continue here instead"),
  }),
  flow("another-document-failed", ended("declined", { another_document: true }), /didn't work/, {
    api: {
      "GET /v1/applicant/task": { json: ended("declined", { another_document: true }) },
      "POST /v1/applicant/another-document": { status: 429, json: problem("rate.limited", "Too many.", "", 429) },
    },
    act: press("Try again with another document"),
  }),
];
