import type { Analytics, FigureCounts, StageTimes, System } from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import { stoppedEndpoint } from "./developers.ts";
import { mails } from "./mail.ts";
import type { State } from "./state.ts";

// Figures of a month, and how a deployment stands.

const counts = (created: number, approved: number, declined: number, waiting: number): FigureCounts => ({
  created,
  opened: Math.round(created * 0.9),
  submitted: approved + declined + waiting,
  decided: approved + declined,
  approved,
  declined,
  automatic: Math.round((approved + declined) * 0.8),
  waiting,
  left: Math.round(created * 0.07),
});

const row = (key: string, ...of: [number, number, number, number]) => ({ key, counts: counts(...of) });

const figures: Analytics = {
  mode: "test",
  from: "2026-10-24T00:00:00Z",
  to: "2026-11-23T00:00:00Z",
  total: counts(412, 301, 44, 9),
  wait_p50_s: 41,
  wait_p95_s: 5460,
  unit: "day",
  course: Array.from({ length: 30 }, (_, i) =>
    row(
      new Date(Date.UTC(2026, 9, 24 + i)).toISOString().slice(0, 10),
      18 + (i % 7) - (i % 3),
      10 + (i % 5) - (i % 3),
      1 + (i % 2),
      i > 27 ? 3 : 0,
    ),
  ),
  workflows: [row("default 1", 350, 260, 36, 8), row("no_liveness 1", 62, 41, 8, 1)],
  countries: [row("UTO", 300, 240, 30, 6), row("D", 40, 34, 5, 1), row("", 14, 0, 9, 2)],
  kinds: [row("passport", 210, 180, 18, 4), row("id_card", 110, 90, 15, 4), row("driving_licence", 34, 31, 2, 1)],
  devices: [row("phone", 330, 260, 34, 8), row("computer", 60, 36, 9, 1), row("tablet", 8, 5, 1, 0)],
  models: [row("face-template 1", 354, 301, 44, 9)],
  sources: [row("camera", 291, 262, 24, 5), row("file", 49, 31, 14, 4), row("", 14, 8, 6, 0)],
  reasons: [
    { code: "document.expired", sessions: 17 },
    { code: "face.mismatch", sessions: 12 },
    { code: "liveness.challenge_missed", sessions: 9 },
  ],
  left_at: [
    { step: "consent", sessions: 4 },
    { step: "document_front", sessions: 11 },
    { step: "selfie", sessions: 14 },
  ],
  queue: { waiting: 9, late: 2, oldest: "2026-11-21T05:10:00Z" },
};

const none: Analytics = {
  ...figures,
  total: counts(0, 0, 0, 0),
  course: [],
  workflows: [],
  countries: [],
  kinds: [],
  devices: [],
  models: [],
  reasons: [],
  left_at: [],
  queue: { waiting: 0, late: 0, oldest: null },
};

const system: System = {
  version: "0.1.0",
  commit: "4f2a9c1d77e0",
  committed_at: "2026-11-20T09:00:00Z",
  platform: "linux/amd64",
  started_at: "2026-11-20T06:00:00Z",
  now: "2026-11-21T12:00:00Z",
  engine: "ready",
  models: [
    {
      name: "face-template",
      version: "1",
      use: "Turns an aligned face into a vector; the cosine of two vectors tells how alike two faces are.",
      licence: "MIT",
      origin: {
        documented: false,
        provenance: "Weights undocumented: training data, author and date are not stated by the package.",
        evaluation:
          "None by its makers. Measured here on lfw-1-5, which does not say region, skin tone or sex of its people: the rates below are for all together.",
      },
      sha256: "9f2c".repeat(16),
      fault: "",
      data_set: "lfw-1-5",
      rates: [
        { threshold: 0.331, fmr: 0.0001, fnmr: 0.012 },
        { threshold: 0.274, fmr: 0.001, fnmr: 0.006 },
      ],
    },
    {
      name: "text-line",
      version: "2",
      use: "reads one printed line of Latin text with diacritics, spaces and both cases; may serve as the second reader of machine-readable rows",
      licence: "Apache-2.0",
      origin: {
        documented: true,
        provenance:
          "trained from random weights on synthetic lines only, drawn with free fonts of Debian by models/text/generate.py; no picture of a document was used",
        evaluation: "Not about people. bench/results/facts-*.json.",
      },
      sha256: "07ab".repeat(16),
      fault: "the file is missing or does not match its model card",
    },
  ],
  jobs: [
    { kind: "extract", waiting: 3, working: 2, later: 1, failed: 0, oldest: "2026-11-21T11:59:20Z" },
    { kind: "webhook", waiting: 0, working: 0, later: 4, failed: 1, oldest: null },
  ],
  database: { engine: "postgres", version: "15.9", bytes: 48_300_000, schema: 15, newest: 15 },
  captures: 1204,
  capture_bytes: 1_830_000_000,
  audit_entries: 28_411,
  audit_waiting: 2,
  webhooks_failing: 4,
  webhooks_given_up: 1,
  findings: [
    { what: "public address", health: "ok", found: "https://id.example.org", remedy: "" },
    { what: "certificate", health: "ok", found: "good until 2027-02-01", remedy: "" },
    { what: "database", health: "ok", found: "sqlite, reachable and up to date", remedy: "" },
    {
      what: "backup",
      health: "warning",
      found: "the newest was made at 2026-11-09T03:00:00Z",
      remedy: "Make one every day: bonafide backup.",
    },
    {
      what: "blobs",
      health: "wrong",
      found: "picture storage is unreachable",
      remedy: "Ask the operator to run bonafide doctor, which says why.",
    },
    {
      what: "disk of the database",
      health: "warning",
      found: "1.4 GiB free",
      remedy: "Make room before it runs out.",
    },
  ],
};

const times: StageTimes = {
  from: figures.from,
  to: figures.to,
  sessions: 354,
  stages: [
    { stage: "consent", sessions: 354, p50_s: 14, p90_s: 41 },
    { stage: "choose", sessions: 354, p50_s: 9, p90_s: 30 },
    { stage: "document_front", sessions: 354, p50_s: 31, p90_s: 118 },
    { stage: "document_back", sessions: 120, p50_s: 22, p90_s: 70 },
    { stage: "selfie", sessions: 350, p50_s: 38, p90_s: 140 },
    { stage: "decision", sessions: 354, p50_s: 4, p90_s: 11 },
    { stage: "review", sessions: 44, p50_s: 5400, p90_s: 21_000 },
  ],
};

const page = signedIn["GET /v1/console/sessions"]?.json;

const seeing = {
  ...signedIn,
  "GET /v1/console/analytics/stages": { json: times },
  "GET /v1/console/keys": { json: { items: [], scopes: [] } },
  "GET /v1/console/webhook-endpoints": { json: { items: [], types: [] } },
  "GET /v1/console/workflows": { json: { items: [] } },
  "GET /v1/console/trust": {
    json: { mode: "live", two_persons: false, countries: [], gaps: [], others: [], updates: [], unusable: [] },
  },
  "GET /v1/console/me": { json: { ...owner, may: [...owner.may, "insight.read", "system.read"] } },
  "GET /v1/console/analytics": { json: figures },
  "GET /v1/console/settings/system": { json: system },
  "GET /v1/console/settings/mails": { json: mails },
};

const operating = [
  "insight.read",
  "system.read",
  "keys.read",
  "webhooks.read",
  "workflows.read",
  "sessions.write",
  "trust.write",
] as const;

export const insightStates: State[] = [
  { name: "console-overview", path: "/console?from=2026-10-24&to=2026-11-22", api: seeing, sees: "Funnel" },
  {
    name: "console-overview-table",
    path: "/console?from=2026-10-24&to=2026-11-22",
    api: seeing,
    act: async ({ page }) => {
      await page.getByRole("region", { name: "Daily" }).getByRole("button", { name: "Show as a table" }).click();
    },
    sees: "Show as a chart",
  },
  {
    name: "console-overview-start",
    path: "/console",
    api: {
      ...seeing,
      "GET /v1/console/me": { json: { ...owner, may: [...owner.may, ...operating] } },
      "GET /v1/console/analytics": { json: none },
      "GET /v1/console/sessions": { json: { ...Object(page), items: [], next: "", counts: {} } },
    },
    sees: "Publish a workflow of your own",
  },
  {
    name: "console-overview-attention",
    path: "/console?from=2026-10-24&to=2026-11-22",
    api: {
      ...seeing,
      "GET /v1/console/me": { json: { ...owner, may: [...owner.may, ...operating] } },
      "GET /v1/console/webhook-endpoints": { json: { items: [stoppedEndpoint], types: [] } },
    },
    sees: "A webhook has stopped",
  },
  {
    name: "console-overview-empty",
    path: "/console",
    api: { ...seeing, "GET /v1/console/analytics": { json: none } },
    sees: "No sessions in this period",
  },
  {
    name: "console-analytics",
    path: "/console/analytics?from=2026-10-24&to=2026-11-22",
    api: seeing,
    sees: "Drop-off",
  },
  {
    name: "console-analytics-drilled",
    path: "/console/analytics?from=2026-10-24&to=2026-11-22",
    api: seeing,
    act: async ({ page: tab }) => {
      const states = tab.getByRole("region", { name: "By issuing state" });
      await states
        .getByTitle(/^Utopia \(UTO\)/)
        .first()
        .click();
    },
    sees: "Show all sessions",
  },
  { name: "console-system", path: "/console/settings/system", api: seeing, sees: "Health checks" },
  {
    name: "console-system-stopped",
    path: "/console/settings/system",
    api: {
      ...seeing,
      "GET /v1/console/me": { json: { ...owner, may: [...owner.may, "insight.read", "system.read", "webhooks.read"] } },
      "GET /v1/console/webhook-endpoints": { json: { items: [stoppedEndpoint], types: [] } },
    },
    sees: "A live endpoint is stopped",
  },
];
