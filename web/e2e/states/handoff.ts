import type { HandoffStatus } from "../../src/api/wire.ts";
import { qrPath } from "./qr.ts";
import type { Api, State } from "./state.ts";
import {
  at,
  ended,
  flow,
  fresh,
  front,
  iphone,
  link,
  noCamera,
  peek,
  peeked,
  press,
  problem,
  says,
  session,
  start,
  task,
} from "./steps.ts";

/** Live updates that say once how far another device is. */
const watched = (status: Partial<HandoffStatus>): Api => {
  const data = JSON.stringify({ session, state: "step", position: 3, total: 4, notices: [], ...status });
  return {
    "GET /v1/applicant/task": {
      status: 409,
      json: problem("session.bound_elsewhere", "This verification was started on another device or browser.", "", 409),
    },
    "GET /v1/applicant/events": { events: `id: evt_1\nevent: handoff\ndata: ${data}\n\n` },
  };
};
const offer = (minutes: number): Api => ({
  "POST /v1/applicant/handoff": {
    json: {
      url: `https://bank.example/v/${link}`,
      expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
      qr: { size: 37, path: qrPath },
    },
  },
});
const choosing = task({ step: "choose", position: 2, back: "consent" });
/** A mouse and a wide screen, whatever the size of the window. */
const computer = `const asked = globalThis.matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => asked(query.includes("pointer: fine") ? "all" : query);`;
const toPhone = press("Continue on your phone");
const arrival = { [peek]: { json: { ...peeked, state: "capturing" as const, handoff: true } } };
const came = `${fresh} sessionStorage.setItem("bonafide.came.${session}", "yes");`;

export const handoffStates: State[] = [
  flow("handoff", front, /Point your phone/, { api: at(front, offer(29.5)), act: toPhone }),
  flow("handoff-first", choosing, /Continue on this device/, {
    api: at(choosing, offer(29.5)),
    before: `${fresh} ${computer}`,
  }),
  flow("handoff-making", front, /Creating a code/, {
    api: at(front, { "POST /v1/applicant/handoff": { hang: true } }),
    act: toPhone,
  }),
  flow("handoff-copied", front, /Copied|bank\.example/, {
    api: at(front, offer(29.5)),
    act: async (shown) => {
      await toPhone(shown);
      await press("Copy the link")(shown);
    },
  }),
  flow("handoff-over", front, /no longer works/, { api: at(front, offer(-1)), act: toPhone }),
  flow("handoff-watching", task({}), /phone is connected/, { api: watched({}) }),
  flow("handoff-sent", task({}), /Sent from your phone/, { api: watched({ state: "wait", position: 0, total: 0 }) }),
  flow("handoff-verified", task({}), "You are verified", {
    api: watched({ state: "approved", position: 0, total: 0, notices: ["liveness_not_required"] }),
  }),
  start("handoff-arrival", arrival, /Continue on this device/),
  start(
    "handoff-used",
    { [peek]: { status: 409, json: problem("handoff.used", "This code was already used.", "", 409) } },
    /already used/,
  ),
  start(
    "handoff-expired",
    { [peek]: { status: 410, json: problem("handoff.expired", "This code no longer works.", "", 410) } },
    /no longer works/,
  ),
  flow("handoff-on-phone", front, /Go back to the other device/, { before: came }),
  flow("handoff-phone-verified", ended("approved"), /on your other device/, { before: came }),
  flow("handoff-handed-back", front, /Continue on the other device/, {
    before: came,
    api: at(front, { "POST /v1/applicant/handoff/back": { status: 204 } }),
    act: press("Go back to the other device"),
  }),
  flow("camera-missing-phone", front, /Continue on another device/, {
    before: noCamera("NotFoundError") + says(`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`),
    act: press("Open the camera"),
  }),
];
