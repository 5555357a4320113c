import type { Challenge, Issuer, Movement, Peeked, Problem, Task } from "../../src/api/wire.ts";
import type { Api, Shown, State } from "./state.ts";

export const session = "ses_06c1q2m3n4p5r6s7t8v9w0x1y2";
export const link = "Xr2bq0bqj3vJ0rC2v8v9w0x1y2Zk3m4n5p6q7r8s9t0";

export const peeked: Peeked = {
  brand: "Harbour Bank",
  mode: "live",
  state: "created",
  steps: ["consent", "choose", "document_front", "document_back", "selfie"],
  accepts: ["passport", "id_card", "residence_permit", "driving_licence"],
  locale: "en",
  expires_at: "2026-11-23T11:30:00Z",
  ...({ handoff: false, continues: "" } as const),
};

export const task = (more: Partial<Task>): Task => ({
  state: "step",
  session,
  step: "consent",
  takes: "",
  challenge: null,
  position: 1,
  total: 4,
  document_kind: null,
  country: "",
  asks_country: false,
  accepts: ["passport", "id_card", "residence_permit", "driving_licence"],
  face_optional: false,
  live_capture: false,
  attempts_left: 3,
  back: "",
  problem: null,
  deadline: "2026-11-22T11:30:00Z",
  return_url: "https://bank.example/after",
  notices: ["liveness_not_required"],
  ...more,
});

export const problem = (code: Problem["code"], title: string, remedy: string, status = 422): Problem => ({
  type: `/docs/errors#${code}`,
  code,
  title,
  remedy,
  status,
  severity: "retry",
  request_id: "req_7Q2M",
});
export const blurred = problem(
  "capture.blurred",
  "The picture is too blurred to read.",
  "Hold the phone still, tap to focus, and try again.",
);

const issuer = (code: string, region: string, name: string, accepted = true): Issuer => ({
  code,
  region,
  name,
  accepted,
});
const issuers: { items: Issuer[] } = {
  items: [
    issuer("AUT", "AT", "Austria"),
    issuer("BEL", "BE", "Belgium"),
    issuer("CIV", "CI", "Côte d'Ivoire"),
    issuer("HRV", "HR", "Croatia"),
    issuer("DNK", "DK", "Denmark"),
    issuer("EUE", "EU", "European Union"),
    issuer("FRA", "FR", "France", false),
    issuer("D", "DE", "Germany"),
    issuer("LUX", "LU", "Luxembourg"),
    issuer("NOR", "NO", "Norway"),
    issuer("XOM", "", "Sovereign Military Order of Malta"),
    issuer("CHE", "CH", "Switzerland"),
    issuer("UKR", "UA", "Ukraine"),
    issuer("GBR", "GB", "United Kingdom"),
    issuer("UTO", "", "Utopia"),
  ],
};
export const country = task({ step: "choose", position: 2, asks_country: true });
export const countries = () => at(country, { "GET /v1/applicant/countries": { json: issuers } });
/** Types the beginning of a country's name. */
export const type =
  (label: string, text: string) =>
  async ({ page }: Shown) =>
    page.getByRole("combobox", { name: label }).fill(text);

export const front = task({ step: "document_front", position: 3, document_kind: "passport", back: "choose" });
export const card = task({ step: "document_front", position: 3, total: 5, document_kind: "id_card" });
const back = task({ step: "document_back", position: 4, total: 5, document_kind: "id_card" });
export const selfie = task({ step: "selfie", position: 4, document_kind: "passport", back: "document" });
/** Times that keep one movement on the screen for as long as a picture of it takes. */
const challenge = (more: Partial<Challenge> = {}): Challenge => ({
  token: "chl_7Q2M.0f3c",
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  prompts: [
    { move: "left", at_ms: 1500, for_ms: 2000 },
    { move: "up", at_ms: 5000, for_ms: 2000 },
    { move: "closer", at_ms: 8500, for_ms: 2000 },
  ],
  duration_ms: 12_000,
  gentle: false,
  light: [],
  limits: { least_frames: 8, most_frames: 90, most_bytes: 12_582_912, least_span_ms: 3000, most_span_ms: 40_000 },
  ...more,
});
export const live = (more: Partial<Challenge> = {}): Task => ({
  ...selfie,
  takes: "frames",
  challenge: challenge(more),
  notices: [],
});
export const asking = (move: Movement) =>
  live({
    duration_ms: 100_000,
    prompts: [
      { move, at_ms: 300, for_ms: 95_000 },
      { move: "right", at_ms: 97_000, for_ms: 2000 },
    ],
  });
/** One colour that stays for as long as a picture of it takes. */
const glowing = [{ colour: "#ffc46e", at_ms: 200, for_ms: 95_000 }];
const begin = async (shown: Shown) => {
  await press("Open the camera")(shown);
  await press("I am ready")(shown);
};
export const ended = (state: Task["state"], more: Partial<Task> = {}) =>
  task({ state, step: "", position: 0, total: 0, ...more });

export const peek = "POST /v1/applicant/peek";
export const at = (now: Task, more: Api = {}): Api => ({
  "GET /v1/applicant/task": { json: now },
  "GET /v1/applicant/events": { hang: true },
  ...more,
});

// A tab that has opened the session before: the token lies in its storage.
export const opened = `sessionStorage.setItem("bonafide.token.${session}", "token"); sessionStorage.setItem("bonafide.brand.${session}", "lHarbour Bank");`;
export const noCamera = (name: string, message = "refused") =>
  `${opened} navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("${message}", "${name}"));`;
export const says = (agent: string) => `Object.defineProperty(navigator, "userAgent", { get: () => "${agent}" });`;
export const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15";

/** Without guidance nothing is taken by itself, and the screen stands still. */
export const unguided = `${opened} delete globalThis.OffscreenCanvas;`;
/** Guidance that always sees the same. The corners are where the specimen before the camera has them. */
const guided = (advice: string, held = 0, of: "page" | "face" = "page") => {
  const corners = [
    [0.059, 0.126],
    [0.876, 0.1],
    [0.908, 0.863],
    [0.092, 0.917],
  ].map(([x, y]) => ({ x, y }));
  const seen = JSON.stringify({ type: "seen", advice, quad: of === "page" ? corners : null, held });
  return `${opened} globalThis.Worker = class extends EventTarget {
    terminate() {}
    postMessage({ frame }) {
      frame.close();
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: ${seen} })), 60);
    }
  };`;
};

export const flow = (name: string, now: Task, sees: State["sees"], more: Partial<State> = {}): State => ({
  name,
  path: `/verify/${session}`,
  before: opened,
  api: at(now),
  sees,
  ...more,
});

export const start = (name: string, api: Api, sees: State["sees"], more: Partial<State> = {}): State => ({
  name,
  path: `/v/${link}`,
  api,
  sees,
  ...more,
});

export const press =
  (name: string | RegExp) =>
  async ({ page }: Shown) =>
    page.getByRole("button", { name }).click();
export const choose =
  (what: "document" | "selfie") =>
  async ({ page, pictures }: Shown) => {
    await page.locator('input[type="file"]').setInputFiles(pictures[what]);
  };

const countryField = "Country or organisation";

export const applicantStates: State[] = [
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
    { [peek]: { status: 404, json: problem("not_found", "There is nothing here.", "", 404) } },
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
  flow("country", country, /United Kingdom/, { api: countries() }),
  flow("country-typed", country, /Côte d’Ivoire/, { api: countries(), act: type(countryField, "cote") }),
  flow("country-refused", country, /are not accepted here/, {
    api: countries(),
    act: async (shown) => {
      await type(countryField, "fra")(shown);
      await shown.page.getByRole("option", { name: /France/ }).click();
    },
  }),
  flow("country-none", country, /Try another spelling/, { api: countries(), act: type(countryField, "zzz") }),
  flow("choose", task({ step: "choose", position: 2 }), /Which document/),
  flow("choose-of-country", country, /Issued by: Norway/, {
    api: countries(),
    act: async (shown) => {
      await type(countryField, "norw")(shown);
      await shown.page.getByRole("option", { name: "Norway" }).click();
    },
  }),
  flow("passport-intro", front, /passport's photo page/),
  flow("card-intro", card, /front of your identity card/),
  flow("back-intro", back, /back of your identity card/),
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
      problem: {
        code: "document.expired",
        step: "",
        title: "This document has expired.",
        remedy: "Start again with a document that is still valid.",
      },
    }),
    /couldn't verify you/,
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
