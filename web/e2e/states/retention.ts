import type { HeldSession, Problem, Retention, RetentionPreview } from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import type { Api, State } from "./state.ts";

// How long data is kept, what goes next, and what is held.

const path = "/console/settings/retention";
const now = Date.now();
const minutes = (n: number) => new Date(now - n * 60_000).toISOString();
const days = (n: number) => minutes(n * 24 * 60);

const run = (at: string) => ({ started_at: at, ended_at: at, pictures: 0, sessions: 0, entries: 0, failed: false });

const kept: Retention = {
  set: { pictures_hours: 720, report_hours: 0, test_hours: 0, audit_hours: 0 },
  default: { pictures_hours: 2160, report_hours: 8760, test_hours: 24, audit_hours: 61_320 },
  least: { pictures_hours: 1, report_hours: 1, test_hours: 1, audit_hours: 8760 },
  every_minutes: 10,
  held: 3,
  last_run: run(minutes(4)),
  last_erased: { ...run(days(1)), pictures: 12, sessions: 3 },
  due: [
    { kind: "pictures", next: 0, week: 214, month: 1093 },
    { kind: "report", next: 0, week: 31, month: 148 },
    { kind: "audit", next: 0, week: 0, month: 0 },
  ],
  workflows: [
    {
      id: "wfv_06c1q2m3n4p5r6s7t8v9w0x1y2",
      workflow: "wfl_06c1q2m3n4p5r6s7t8v9w0x1y2",
      name: "age_check",
      number: 3,
      mode: "live",
      state: "published",
      pictures_hours: 1,
      report_hours: 168,
      kept_pictures_hours: 1,
      kept_report_hours: 168,
    },
    {
      id: "wfv_06c1q2m3n4p5r6s7t8v9w0x1y3",
      workflow: "wfl_06c1q2m3n4p5r6s7t8v9w0x1y3",
      name: "onboarding",
      number: 1,
      mode: "live",
      state: "retired",
      pictures_hours: 1440,
      report_hours: 0,
      kept_pictures_hours: 720,
      kept_report_hours: 8760,
    },
  ],
};

const hold = (n: number, more: Partial<HeldSession> = {}): HeldSession => ({
  session: `ses_06c1q2m3n4p5r6s7t8v9w0x00${n}`,
  mode: "live",
  reason: "Claim of the customer; letter of our lawyers of 3 November, file 2026/118.",
  set_by: "user:usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
  name: "Ida Lindqvist",
  set_at: days(18),
  pictures_until: days(-12),
  report_until: days(-347),
  ...more,
});

const holds = [
  hold(1),
  hold(2, {
    reason: "Court order",
    name: "Bram de Wit",
    set_at: days(400),
    pictures_until: days(310),
    report_until: days(35),
  }),
  hold(3, {
    mode: "test",
    reason:
      "A reason that somebody wrote at length, because whoever looks at it in two years has to know what it was about and whom to ask.",
    name: "",
    set_by: "api_key:key_06c1q2m3n4p5r6s7t8v9w0x1y2",
    set_at: minutes(50),
    pictures_until: null,
    report_until: null,
  }),
];

const preview: RetentionPreview = {
  kinds: [
    { kind: "pictures", sooner: 2310, next: 1180, week: 1422, month: 2310 },
    { kind: "report", sooner: 0, next: 0, week: 31, month: 148 },
    { kind: "audit", sooner: 0, next: 0, week: 0, month: 0 },
  ],
};

const refused: Problem = {
  type: "/docs/errors#request.malformed",
  code: "request.malformed",
  title: "The request is not as it should be.",
  detail: "Pictures cannot be kept longer than the report.",
  remedy: "",
  status: 400,
  severity: "",
  request_id: "req_7Q2M",
};

const at = "GET /v1/console/settings/retention";

const seeing = (data: Retention, items: HeldSession[] = holds): Api => ({
  ...signedIn,
  "GET /v1/console/me": { json: { ...owner, may: [...owner.may, "audit.read", "system.read", "team.manage"] } },
  [at]: { json: data },
  [`${at}/preview`]: { json: preview },
  [`${at}/holds`]: { json: { items, next: "" } },
});

const change = async ({ page }: Parameters<NonNullable<State["act"]>>[0], n: string) => {
  await page.getByRole("button", { name: "Change retention: Pictures" }).click();
  await page.getByLabel("Keep for").fill(n);
};

export const retentionStates: State[] = [
  { name: "console-retention", path, api: seeing(kept), sees: "Court order" },
  {
    name: "console-retention-new",
    path,
    api: seeing(
      {
        ...kept,
        set: { pictures_hours: 0, report_hours: 0, test_hours: 0, audit_hours: 0 },
        held: 0,
        last_run: null,
        last_erased: null,
        due: kept.due.map(({ kind }) => ({ kind, next: 0, week: 0, month: 0 })),
        workflows: [],
      },
      [],
    ),
    sees: "No legal holds",
  },
  {
    name: "console-retention-late",
    path,
    api: seeing({ ...kept, last_run: run(minutes(95)) }),
    sees: "The erasure job is overdue",
  },
  {
    name: "console-retention-failed",
    path,
    api: seeing({ ...kept, last_run: { ...run(minutes(3)), failed: true } }),
    sees: "The last run did not finish",
  },
  {
    name: "console-retention-shorten",
    path,
    api: seeing(kept),
    act: (shown) => change(shown, "7"),
    sees: /2,?310 finished sessions/,
  },
  {
    name: "console-retention-out-of-bounds",
    path,
    api: seeing(kept),
    act: (shown) => change(shown, "100"),
    sees: "1 hour to 90 days.",
  },
  {
    name: "console-retention-refused",
    path,
    api: { ...seeing(kept), "POST /v1/console/settings/retention": { status: 400, json: refused } },
    act: async (shown) => {
      await change(shown, "60");
      await shown.page.getByRole("button", { name: "Set to 60 days" }).click();
    },
    sees: "Pictures cannot be kept longer than the report.",
  },
  {
    name: "console-retention-release",
    path,
    api: seeing(kept),
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Lift the hold on …w0x002" }).click();
    },
    sees: /Nobody can recover it/,
  },
];
