import type { State } from "./state.ts";
import {
  asking,
  at,
  back,
  begin,
  blurred,
  card,
  challenge,
  choose,
  countries,
  country,
  ended,
  flow,
  front,
  glowing,
  guided,
  iphone,
  live,
  noCamera,
  opened,
  peek,
  peeked,
  press,
  problem,
  says,
  selfie,
  start,
  task,
  tooFast,
  typing,
  unguided,
} from "./steps.ts";

const tooOld = {
  code: "document.expired",
  step: "",
  title: "This document has expired.",
  remedy: "Start again with a document that is still valid.",
} as const;

export const applicantStates: State[] = [
  flow("choose-preset", country, /Issued by: United Kingdom/, { api: countries() }),
  start("start", { [peek]: { json: peeked } }, /Verify your identity for Harbour Bank/),
  start("start-test-mode", { [peek]: { json: { ...peeked, mode: "test" } } }, /Verify your identity for Harbour Bank/),
  start("start-inapp", { [peek]: { json: peeked } }, /in your browser first/, {
    before: says(`${iphone} Mobile/15E148 Instagram 350.0`),
  }),
  start(
    "link-expired",
    {
      [peek]: {
        status: 410,
        json: problem("session.expired", "This link has expired.", "Ask whoever sent it to you for a new one.", 410),
      },
    },
    "This link has expired",
  ),
  start("link-review", { [peek]: { json: { ...peeked, state: "in_review" } } }, /Someone is reviewing/),
  start("link-finished", { [peek]: { json: { ...peeked, state: "approved" } } }, /already complete/),
  start(
    "link-unknown",
    { [peek]: { status: 404, json: problem("not_found", "Not found.", "", 404) } },
    /does not work/,
  ),
  start(
    "server-down",
    { [peek]: { status: 500, json: problem("internal", "Something went wrong on our side.", "", 500) } },
    /went wrong/,
  ),
  flow("consent", task({}), /compare your face/),
  flow("consent-document", task({ notices: ["face_not_compared"], total: 3 }), /check your document/),
  flow("consent-optional", task({ face_optional: true }), /compare your face/),
  flow(
    "consent-optional-document",
    task({ face_optional: true, notices: ["face_not_compared"], total: 3 }),
    /check your/,
  ),
  flow(
    "gallery",
    { ...selfie, gallery: { text: "Harbour Bank looks for people who open several accounts.", months: 12 } },
    /compare your face with those of other people/,
  ),
  flow("country", country, /Type the first letters/, { api: countries(), act: press("Change") }),
  flow("country-typed", country, /Côte d’Ivoire/, { api: countries(), act: typing("cote") }),
  flow("country-refused", country, /are not accepted here/, {
    api: countries(),
    act: async (shown) => {
      await typing("fra")(shown);
      await shown.page.getByRole("option", { name: /France/ }).click();
    },
  }),
  flow("country-none", country, /Try another spelling/, { api: countries(), act: typing("zzz") }),
  flow("choose", task({ step: "choose", position: 2 }), /Which document/),
  flow("choose-of-country", country, /Issued by: Norway/, {
    api: countries(),
    act: async (shown) => {
      await typing("norw")(shown);
      await shown.page.getByRole("option", { name: "Norway" }).click();
    },
  }),
  flow("passport-intro", front, /passport's photo page/),
  flow("card-intro", card, /front of your identity card/),
  flow("back-intro", back, /back of your identity card/),
  flow("chip", { ...selfie, chip: "required" }, "Waiting for the app", {
    api: {
      ...at({ ...selfie, chip: "required" }),
      "GET /v1/applicant/chip": { json: { state: "none", reading: "", read: 0, of: 0 } },
    },
  }),
  flow("chip-reading", { ...selfie, chip: "required" }, "Reading the chip", {
    api: {
      ...at({ ...selfie, chip: "required" }),
      "GET /v1/applicant/chip": { json: { state: "reading", reading: "DG2", read: 9000, of: 21000 } },
    },
  }),
  flow("chip-lost", { ...selfie, chip: "required" }, /Contact with the chip was lost/, {
    api: {
      ...at({ ...selfie, chip: "required" }),
      "GET /v1/applicant/chip": { json: { state: "stopped", reading: "", read: 0, of: 0 } },
    },
  }),
  flow("selfie-intro", selfie, /photo of your face/),
  flow("camera-passport", front, /lines of code/, { before: unguided, act: press("Open the camera") }),
  flow("camera-card", card, /whole document/, { before: unguided, act: press("Open the camera") }),
  flow("camera-closer", front, /Come closer/, { before: guided("closer"), act: press("Open the camera") }),
  flow("camera-glare", front, /reflection/, { before: guided("glare"), act: press("Open the camera") }),
  flow("camera-hold", front, /Good/, { before: guided("hold", 0.5), act: press("Open the camera") }),
  flow("camera-selfie", selfie, /oval/, { before: unguided, act: press("Open the camera") }),
  flow("camera-selfie-hold", selfie, /Good/, { before: guided("hold", 0.5, "face"), act: press("Open the camera") }),
  flow("camera-selfie-alone", selfie, /Only you/, {
    before: guided("alone", 0, "face"),
    act: press("Open the camera"),
  }),
  flow("selfie-live-intro", live(), /really you/),
  flow("selfie-live-intro-gentle", live({ gentle: true, duration_ms: 17_000 }), /Two small movements/),
  flow(
    "selfie-live-again",
    {
      ...live(),
      attempts_left: 2,
      problem: {
        code: "liveness.challenge_missed",
        step: "selfie",
        title: "Your head did not follow the movements.",
        remedy: "Follow the arrows with your head, at the moment they show, and stay in the oval.",
      },
    },
    /really you/,
  ),
  flow("selfie-live-ways", live(), /suits you better/, { act: press("Other options") }),
  flow("selfie-live-aim", live(), /your face in the oval/, { before: unguided, act: press("Open the camera") }),
  flow("selfie-live-good", live(), /is in the oval/, {
    before: guided("hold", 0, "face"),
    act: press("Open the camera"),
  }),
  flow("selfie-live-left", asking("left"), /to the left/, { act: begin }),
  flow("selfie-live-up", asking("up"), /Look up/, { act: begin }),
  flow("selfie-live-closer", asking("closer"), /Come closer/, { act: begin }),
  flow("selfie-live-intro-lit", live({ light: glowing }), /Soft colours light your face/, {
    act: ({ page }) =>
      page
        .emulateMedia({ reducedMotion: "no-preference" })
        .then(() => page.reload())
        .then(() => undefined),
  }),
  flow(
    "selfie-live-lit",
    { ...asking("left"), challenge: challenge({ ...asking("left").challenge, light: glowing }) },
    /to the left/,
    {
      act: async (shown) => {
        await shown.page.emulateMedia({ reducedMotion: "no-preference" });
        await begin(shown);
      },
    },
  ),
  flow("selfie-live-interrupted", asking("left"), /Nothing was kept/, {
    act: async (shown) => {
      await begin(shown);
      await press("Cancel")(shown);
    },
  }),
  flow("selfie-live-slow", live(tooFast), /too slow/, { act: begin }),
  flow("camera-denied", front, /not allowed/, { before: noCamera("NotAllowedError"), act: press("Open the camera") }),
  flow("camera-denied-iphone", live(), /not allowed/, {
    before: noCamera("NotAllowedError") + says(`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`),
    act: press("Open the camera"),
  }),
  flow("camera-dismissed", front, /was closed/, {
    before: noCamera("NotAllowedError", "Permission dismissed"),
    act: press("Open the camera"),
  }),
  flow("camera-system", front, /doesn't let the browser/, {
    before: noCamera("NotAllowedError", "Permission denied by system"),
    act: press("Open the camera"),
  }),
  flow("camera-insecure", front, /secure page/, {
    before: `${opened} Object.defineProperty(globalThis, "isSecureContext", { get: () => false });`,
    act: press("Open the camera"),
  }),
  flow("camera-unsupported", front, /can't use a camera/, {
    before: `${opened} Object.defineProperty(navigator, "mediaDevices", { get: () => undefined });`,
    act: press("Open the camera"),
  }),
  flow("camera-inapp", front, /Open this page in your browser/, {
    before: noCamera("NotAllowedError") + says(`${iphone} Mobile/15E148 Instagram 350.0`),
    act: press("Open the camera"),
  }),
  flow("camera-torch", front, /lines of code/, {
    before: `${unguided} MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });`,
    act: press("Open the camera"),
  }),
  flow("camera-missing", front, /No camera/, { before: noCamera("NotFoundError"), act: press("Open the camera") }),
  flow("camera-missing-live", { ...front, live_capture: true }, /No camera/, {
    before: noCamera("NotFoundError"),
    act: press("Open the camera"),
  }),
  flow("camera-live", { ...front, live_capture: true }, /lines of code/, {
    before: unguided,
    act: press("Open the camera"),
  }),
  flow("camera-busy", selfie, /Another app/, { before: noCamera("NotReadableError"), act: press("Open the camera") }),
  flow("review-document", front, /every line/, { act: choose("document") }),
  flow("review-selfie", selfie, /sharp and well lit/, { act: choose("selfie") }),
  flow("sending", front, /Sending your photo/, {
    api: at(front, { "PUT /v1/applicant/steps/document_front": { hang: true } }),
    act: async (shown) => {
      await choose("document")(shown);
      await press("Use this photo")(shown);
    },
  }),
  flow("sending-paused", front, /Waiting for a connection/, {
    api: at(front, {
      "PUT /v1/applicant/steps/document_front": {
        status: 503,
        json: problem("unavailable", "The service is busy right now.", "", 503),
      },
    }),
    act: async (shown) => {
      await choose("document")(shown);
      await press("Use this photo")(shown);
    },
  }),
  flow("retry-blurred", front, /too blurred/, {
    api: at(
      { ...front, attempts_left: 2 },
      { "PUT /v1/applicant/steps/document_front": { status: 422, json: blurred } },
    ),
    act: async (shown) => {
      await choose("document")(shown);
      await press("Use this photo")(shown);
    },
  }),
  flow(
    "retry-face",
    {
      ...selfie,
      attempts_left: 1,
      problem: {
        code: "face.mismatch",
        step: "selfie",
        title: "Your picture does not look like the photo on the document.",
        remedy: "Take off glasses or a hat, find even light and look straight into the camera.",
      },
    },
    /does not look like/,
  ),
  flow("selfie-intro-optional", { ...selfie, face_optional: true }, /without my face/),
  flow("selfie-live-intro-optional", { ...live(), face_optional: true }, /without my face/),
  flow("faceless-dialog", { ...live(), face_optional: true }, /pictures of your face are deleted/, {
    act: press("Continue without my face"),
  }),
  flow("waiting", ended("wait"), /checking your photos/),
  flow("offline", ended("wait"), /You're offline/, {
    act: async ({ page }) => {
      await page.getByText(/checking your photos/).waitFor();
      await page.context().setOffline(true);
    },
  }),
  flow("result-verified", ended("approved"), "You are verified"),
  flow("result-verified-document", ended("approved", { notices: ["face_not_compared"] }), "You are verified"),
  flow("result-review", ended("review"), /Someone is reviewing/),
  flow(
    "result-declined",
    ended("declined", {
      problem: tooOld,
    }),
    /couldn't verify you/,
  ),
  flow(
    "result-declined-again",
    ended("declined", { another_document: true, problem: tooOld }),
    /Try again with another document/,
  ),
  flow("result-declined-plain", ended("declined"), /couldn't verify you/),
  flow("result-exhausted", { ...front, attempts_left: 0 }, /no tries left/),
  flow("result-expired", ended("expired"), /expired/),
  flow("result-stopped", ended("cancelled"), /was stopped/),
  flow(
    "consent-declined",
    ended("cancelled", {
      problem: {
        code: "consent.declined",
        step: "consent",
        title: "You declined, so nothing was checked and nothing is kept.",
        remedy: "Ask whoever sent the link for another way.",
      },
    }),
    /didn't agree/,
  ),
  flow("opened-elsewhere", task({}), /another browser/, { before: "" }),
  flow("server-failed", task({}), /went wrong/, {
    api: {
      "GET /v1/applicant/task": {
        status: 400,
        json: problem("request.malformed", "The request cannot be read.", "", 400),
      },
    },
  }),
];
