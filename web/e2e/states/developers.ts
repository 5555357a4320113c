import type { components } from "../../src/api/schema.d.ts";
import type { APIKey, EventKind, EventMessage, Me, WebhookDelivery, WebhookEndpoint } from "../../src/api/wire.ts";
import { me as ida, open, signedIn } from "./desk.ts";
import type { Api, State } from "./state.ts";

// Keys, endpoints and events, as somebody sees them who connects other systems.

type Persona = components["schemas"]["Persona"];

const me: Me = {
  ...ida,
  second_factor: true,
  authenticator_app: true,
  recovery_codes: 10,
  may: [
    "sessions.read",
    "team.manage",
    "keys.read",
    "keys.write",
    "webhooks.read",
    "webhooks.write",
    "events.read",
    "logs.read",
    "sessions.write",
  ],
};

const key = (n: number, name: string, more: Partial<APIKey> = {}): APIKey => ({
  id: `key_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  name,
  mode: "test",
  scopes: ["sessions.read", "sessions.write"],
  prefix: `bf_test_q7R${n}`,
  status: "active",
  created_at: "2026-09-01T08:00:00Z",
  created_by: me.id,
  last_used_at: "2026-11-21T11:20:00Z",
  expires_at: null,
  revoked_at: null,
  ...more,
});

const scopes = [
  { scope: "sessions.read", what: "see sessions (facts)" },
  { scope: "sessions.write", what: "create and cancel sessions" },
  { scope: "reports.read", what: "see reports" },
  { scope: "evidence.read", what: "open evidence pictures (each view is audited)" },
  { scope: "webhooks.write", what: "make, test, rotate and remove webhooks" },
  { scope: "events.read", what: "read the feed of events" },
];
const keys = [
  key(1, "Shop, production"),
  key(2, "A name that somebody made rather long, so that everybody knows what uses this key and whom to ask", {
    scopes: scopes.map(({ scope }) => scope),
    last_used_at: null,
    expires_at: "2027-02-01T00:00:00Z",
  }),
  key(3, "Shop, before the rotation", { status: "expired", expires_at: "2026-10-02T00:00:00Z" }),
  key(4, "Trial", { status: "revoked", revoked_at: "2026-10-03T00:00:00Z" }),
];

const endpoint = (n: number, url: string, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: `whk_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  mode: "test",
  url,
  events: [],
  created_at: "2026-09-01T08:00:00Z",
  failing_since: null,
  old_secret_until: null,
  stopped_at: null,
  paused_at: null,
  content: "reference",
  ...more,
});
const shop = endpoint(1, "https://shop.example/hooks/bonafide");
const failing = endpoint(2, "https://warehouse.example/a/path/that/is/rather/long/and/has/a/tenant/in/it?tenant=4712", {
  events: ["session.approved", "session.declined"],
  failing_since: "2026-11-20T07:00:00Z",
  old_secret_until: "2026-11-22T07:00:00Z",
});
const stopped = endpoint(3, "https://old-shop.example/hooks/bonafide", {
  failing_since: "2026-11-21T11:00:00Z",
  stopped_at: "2026-11-21T11:00:00Z",
});
const types: EventKind[] = [
  { type: "session.created", when: "A session was created." },
  { type: "session.approved", when: "Approved, by the policy or a reviewer." },
  { type: "session.declined", when: "Declined, by the policy or a reviewer." },
  { type: "session.referred", when: "Waits for a reviewer." },
];

const delivery = (n: number, type: string, more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: `dlv_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  event: `evt_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  type,
  session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2",
  status: "delivered",
  attempt: 1,
  next_at: null,
  created_at: "2026-11-21T11:20:00Z",
  ended_at: "2026-11-21T11:20:01Z",
  tries: [{ at: "2026-11-21T11:20:01Z", status: 200, took_ms: 84, fault: "", excerpt: "" }],
  ...more,
});
const refused = {
  at: "2026-11-21T10:00:00Z",
  status: 503,
  took_ms: 212,
  fault: "status",
  excerpt: "upstream connect error or disconnect before headers",
} as const;
const deliveries: WebhookDelivery[] = [
  delivery(1, "session.declined", {
    status: "due",
    attempt: 2,
    next_at: "2026-11-21T12:20:00Z",
    ended_at: null,
    tries: [
      refused,
      { ...refused, at: "2026-11-21T10:00:06Z", status: 0, took_ms: 10_000, fault: "timeout", excerpt: "" },
    ],
  }),
  delivery(2, "session.approved"),
  delivery(3, "webhook.test", { session: "" }),
  delivery(4, "session.approved", { status: "given_up", attempt: 16, tries: [refused] }),
];

const event = (n: number, type: string, data: EventMessage["data"]): EventMessage => ({
  id: `evt_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  type,
  timestamp: "2026-11-21T11:20:00Z",
  mode: "test",
  session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2",
  data,
});
const events = [
  event(4, "session.declined", {
    decision: "dec_06c1q2m3n4p5r6s7t8v9w0x1y2",
    outcome: "declined",
    reasons: ["document.expired"],
  }),
  event(3, "session.submitted", {}),
  event(2, "session.opened", {}),
  event(1, "session.created", { workflow: "wfv_06c1q2m3n4p5r6s7t8v9w0x1y2" }),
];

const calls = [
  { method: "POST", route: "/v1/sessions", status: 201, problem: "", took_us: 12_400 },
  { method: "POST", route: "/v1/sessions", status: 400, problem: "request.malformed", took_us: 640 },
  {
    method: "GET",
    route: "/v1/sessions/{id}/evidence/{capture}",
    status: 503,
    problem: "unavailable",
    took_us: 5_002_000,
  },
].map((call, i) => ({
  ...call,
  id: String(9 - i),
  request_id: `req_7q2m3n4p5r6s7t${i}v`,
  key: "key_06c1q2m3n4p5r6s7t8v9w0x001",
  at: `2026-11-21T11:2${i}:00Z`,
}));

const personas: Persona[] = [
  {
    name: "approved",
    document_number: "persona:approved",
    what: "Every check passes.",
    ends: "approved",
    reason: "",
    check: "",
  },
  {
    name: "in_review",
    document_number: "persona:in_review",
    what: "The face is neither like the portrait nor unlike it, so the session goes to review. Decide the case in the console, and the webhook is sent.",
    ends: "in_review",
    reason: "face.uncertain",
    check: "face.match",
  },
  {
    name: "document.barcode_unreadable",
    document_number: "persona:document.barcode_unreadable",
    what: "Raised on the first try: the session is reopened at that step, and the second try is good.",
    ends: "approved",
    reason: "document.barcode_unreadable",
    check: "document.sides",
  },
];

const page = `/console/developers/webhooks/${failing.id}`;
const call = `GET /v1/console/webhook-endpoints/${failing.id}`;
export const stoppedEndpoint = { ...stopped, mode: "live" };

const gone = `GET /v1/console/webhook-endpoints/${stopped.id}`;
const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: me },
  "GET /v1/console/keys": { json: { items: keys, scopes } },
  "POST /v1/console/keys": {
    status: 201,
    json: { ...key(9, "Shop"), secret: "bf_test_q7R9v2Lm4Xn8Zt6Kp1Ws5Yb3Hd0Jf7Gc2Qe9Ra4Uo8" },
  },
  "GET /v1/console/webhook-endpoints": { json: { items: [shop, failing, stopped], types } },
  "POST /v1/console/webhook-endpoints": {
    status: 201,
    json: { ...shop, secret: "whsec_c3BlY2ltZW4gb2YgYSBzZWNyZXQsIG9mIG5vIHVzZQ==" },
  },
  [call]: { json: failing },
  [gone]: { json: stopped },
  [`${gone}/deliveries`]: {
    json: {
      items: [
        delivery(5, "session.approved", { status: "given_up", tries: [{ ...refused, status: 410, excerpt: "" }] }),
      ],
      next: "",
    },
  },
  [`${call}/deliveries`]: { json: { items: deliveries, next: "dlv_06c1q2m3n4p5r6s7t8v9w0x004" } },
  "GET /v1/console/event-log": { json: { items: events, next: "evt_06c1q2m3n4p5r6s7t8v9w0x001" } },
  "GET /v1/console/request-log": { json: { items: calls, next: "3" } },
  "GET /v1/personas": { json: { items: personas } },
};

export const developerStates: State[] = [
  { name: "console-logs", path: "/console/developers/logs", api: desk, sees: "request.malformed" },
  {
    name: "console-logs-none",
    path: "/console/developers/logs?failed=true",
    api: { ...desk, "GET /v1/console/request-log": { json: { items: [], next: "" } } },
    sees: "No calls",
  },
  { name: "console-sandbox", path: "/console/developers/sandbox", api: desk, sees: "persona:approved" },
  { name: "console-keys", path: "/console/developers/keys", api: desk, sees: "Shop, production" },
  {
    name: "console-keys-none",
    path: "/console/developers/keys",
    api: { ...desk, "GET /v1/console/keys": { json: { items: [], scopes } } },
    sees: "No keys yet",
  },
  {
    name: "console-key-new",
    path: "/console/developers/keys",
    api: desk,
    act: open("New key"),
    sees: "Permissions",
  },
  {
    name: "console-key-ready",
    path: "/console/developers/keys",
    api: desk,
    act: async (shown) => {
      await open("New key")(shown);
      await shown.page.getByRole("textbox", { name: "Name" }).fill("Shop");
      await shown.page.getByRole("button", { name: "Create key" }).click();
    },
    sees: "The key is ready",
  },
  {
    name: "console-key-rotate",
    path: "/console/developers/keys",
    api: desk,
    act: open("Rotate"),
    sees: "Keep the old key for",
  },
  { name: "console-webhooks", path: "/console/developers/webhooks", api: desk, sees: shop.url },
  {
    name: "console-webhooks-none",
    path: "/console/developers/webhooks",
    api: { ...desk, "GET /v1/console/webhook-endpoints": { json: { items: [], types } } },
    sees: "No endpoints yet",
  },
  {
    name: "console-webhook-new",
    path: "/console/developers/webhooks",
    api: desk,
    act: async (shown) => {
      await open("New endpoint")(shown);
      await shown.page.getByRole("radio", { name: "Selected events" }).check();
    },
    sees: "session.referred",
  },
  {
    name: "console-webhook-ready",
    path: "/console/developers/webhooks",
    api: desk,
    act: async (shown) => {
      await open("New endpoint")(shown);
      await shown.page.getByRole("textbox", { name: "URL" }).fill(shop.url);
      await shown.page.getByRole("button", { name: "Create endpoint" }).click();
    },
    sees: "The endpoint is ready",
  },
  {
    name: "console-webhook",
    path: page,
    api: desk,
    act: open("Show attempts for session.declined"),
    sees: "upstream connect error",
  },
  {
    name: "console-webhook-none",
    path: page,
    api: { ...desk, [`${call}/deliveries`]: { json: { items: [], next: "" } } },
    sees: "Nothing sent yet",
  },
  {
    name: "console-webhook-edit",
    path: page,
    api: desk,
    act: open("Edit"),
    sees: "Reference, metadata and the full session",
  },
  {
    name: "console-webhook-paused",
    path: page,
    api: { ...desk, [call]: { json: { ...failing, failing_since: null, paused_at: "2026-11-21T11:00:00Z" } } },
    sees: "This endpoint is paused",
  },
  {
    name: "console-webhook-stopped",
    path: `/console/developers/webhooks/${stopped.id}`,
    api: desk,
    sees: "This endpoint is stopped",
  },
  { name: "console-events", path: "/console/developers/events", api: desk, sees: "session.submitted" },
  {
    name: "console-events-none",
    path: "/console/developers/events",
    api: { ...desk, "GET /v1/console/event-log": { json: { items: [], next: "" } } },
    sees: "Nothing has happened yet",
  },
];
