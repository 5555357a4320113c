import type { Challenge, Issuer, Movement, Peeked, Problem, Task } from "../../src/api/wire.ts";
import { countryField, openCountries } from "../support/country.ts";
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
  ...({ handoff: false, continues: "", hint: "" } as const),
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
  chip: "off",
  chip_sent: false,
  wallet: "off",
  wallet_counts: "",
  wallet_instead: false,
  wallet_age: 0,
  attempts_left: 3,
  another_document: false,
  back: "",
  problem: null,
  deadline: "2026-11-22T11:30:00Z",
  return_url: "https://bank.example/after",
  mail_hint: "",
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
export const back = task({ step: "document_back", position: 4, total: 5, document_kind: "id_card" });
export const selfie = task({ step: "selfie", position: 4, document_kind: "passport", back: "document" });
/** Times that keep one movement on the screen for as long as a picture of it takes. */
export const challenge = (more: Partial<Challenge> = {}): Challenge => ({
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
/** A challenge that asks for more pictures than any device takes in its time. */
export const tooFast: Partial<Challenge> = {
  prompts: [{ move: "left", at_ms: 300, for_ms: 800 }],
  duration_ms: 1500,
  limits: { ...challenge().limits, least_frames: 500 },
};
export const asking = (move: Movement) =>
  live({
    duration_ms: 100_000,
    prompts: [
      { move, at_ms: 300, for_ms: 95_000 },
      { move: "right", at_ms: 97_000, for_ms: 2000 },
    ],
  });
/** One colour that stays for as long as a picture of it takes. */
export const glowing = [{ colour: "#ffc46e", at_ms: 200, for_ms: 95_000 }];
export const begin = async (shown: Shown) => {
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
export const fresh = `sessionStorage.setItem("bonafide.token.${session}", "token"); sessionStorage.setItem("bonafide.brand.${session}", "lHarbour Bank");`;
export const noCamera = (name: string, message = "refused") =>
  `${opened} navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("${message}", "${name}"));`;
export const says = (agent: string) => `Object.defineProperty(navigator, "userAgent", { get: () => "${agent}" });`;
export const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15";

/** The same on a computer whose person chose to stay there. */
export const opened = `${fresh} sessionStorage.setItem("bonafide.stayed.${session}", "yes");`;

/** Without guidance nothing is taken by itself, and the screen stands still. */
export const unguided = `${opened} delete globalThis.OffscreenCanvas;`;
/** Guidance that always sees the same. The corners are where the specimen before the camera has them. */
export const guided = (advice: string, held = 0, of: "page" | "face" = "page") => {
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

/** Opens the list of countries and types into its field. */
export const typing = (text: string) => async (shown: Shown) => {
  await openCountries(shown.page);
  await type(countryField, text)(shown);
};
