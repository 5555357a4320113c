import type {
  Hit,
  Me,
  ScreeningHit,
  ScreeningRun,
  SessionFile,
  Watchlist,
  Watchlists,
  WatchlistVersion,
} from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import { base, check, checks, digest, face, file, id, session } from "./specimen.ts";
import type { Api, State } from "./state.ts";

// Watchlists, hits, monitoring and the search by hand.

const minutes = (n: number) => new Date(Date.now() - n * 60_000).toISOString();
const days = (n: number) => minutes(n * 24 * 60);
const me: Me = { ...owner, may: [...owner.may, "watchlists.read", "watchlists.write"] };

const found: ScreeningHit = {
  list: "un",
  version: digest,
  index: digest.replace("9f", "1c"),
  entry: "6908421",
  content: digest,
  topic: "sanctions",
  topics: ["sanction"],
  band: "strong",
  name_grade: "fuzzy",
  birth: "same",
  nationality: "differs",
  sex: "agrees",
  document_number: "unknown",
  read: "OSKAR EMANUEL LINDQVIST",
  listed: "Lindkvist, Oskar Immanuel",
  parts: [
    { read: "oskar", listed: "oskar", means: "same", likeness: 1, bits: 7.1 },
    { read: "lindqvist", listed: "lindkvist", means: "spelling", likeness: 0.92, bits: 11.2 },
    { read: "emanuel", listed: "immanuel", means: "sounds_alike", likeness: 0.9, bits: 8.3 },
  ],
  names: ["Оскар Линдквист", "O. Lindkvist"],
  births: ["1984-10-27", "1984"],
  nationalities: ["ZZZ"],
  sexes: ["M"],
  programmes: ["Invented programme 1267"],
  listed_on: "2019-03-14",
  remarks: "An invented entry. Reported to use a second passport since 2021.",
};

const exposed: ScreeningHit = {
  ...found,
  list: "opensanctions",
  entry: "Q-invented-77",
  topic: "pep",
  topics: ["role.pep"],
  band: "possible",
  name_grade: "exact",
  birth: "unknown",
  nationality: "agrees",
  sex: "unknown",
  listed: "Oskar Lindqvist",
  parts: [
    { read: "oskar", listed: "oskar", means: "same", likeness: 1, bits: 4.1 },
    { read: "lindqvist", listed: "lindqvist", means: "same", likeness: 1, bits: 11.2 },
    { read: "emanuel", means: "only_searched", likeness: 0, bits: 8.3 },
  ],
  names: [],
  births: [],
  remarks: "Member of an invented parliament.",
};

const hit = (n: number, of: ScreeningHit, more: Partial<Hit> = {}): Hit => ({
  id: `hit_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  session: id,
  mode: "test",
  state: "open",
  trigger: "submitted",
  found: of,
  was: null,
  opened_at: minutes(40),
  decided_by: "",
  decided_at: null,
  reason: "",
  note: "",
  valid_until: null,
  second_by: "",
  second_at: null,
  said: [],
  version: 1,
  ...more,
});

const back = hit(
  3,
  { ...found, births: ["1984-10-27", "1986-01-01"] },
  {
    trigger: "list_changed",
    was: found,
    decided_by: me.id,
    decided_at: days(9),
    reason: "other_picture",
    note: "Pictures of the listed person show somebody else.",
    said: [
      {
        by: me.id,
        name: "Ida Lindqvist",
        at: days(9),
        decision: "not_the_person",
        reason: "other_picture",
        note: "Pictures of the listed person show somebody else.",
      },
    ],
  },
);

const counts = { open: 3, unsure: 0, awaits_second: 0, not_the_person: 14, is_the_person: 1 };
const reasons = [
  "other_birth",
  "other_name",
  "other_nationality",
  "other_sex",
  "other_document",
  "other_picture",
  "other",
];

const version = (n: number, more: Partial<WatchlistVersion> = {}): WatchlistVersion => ({
  id: `wlv_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  state: "active",
  why: [],
  format: "un",
  sha256: digest,
  bytes: 2_030_620,
  published_at: days(2),
  entries: 1003,
  people: 730,
  names: 3038,
  rejected: 0,
  rejected_rows: [],
  added: 12,
  changed: 31,
  removed: 4,
  from: "fetch",
  added_by: "",
  added_at: days(2),
  activated_by: "",
  activated_at: days(2),
  ...more,
});

const list = (n: number, more: Partial<Watchlist> = {}): Watchlist => ({
  id: `wls_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  name: "un",
  title: "United Nations",
  topics: ["sanctions"],
  licence: "",
  source: "https://lists.example/resources/xml/en/consolidated.xml",
  every_hours: 24,
  max_age_hours: 168,
  look_first: false,
  disabled: false,
  state: "held",
  as_of: days(2),
  origin: {
    publisher: "United Nations",
    website: "https://lists.example",
    licence: "terms of the publisher's website",
  },
  next_fetch: new Date(Date.now() + 5 * 3_600_000).toISOString(),
  last_fetch: minutes(50),
  fault: "",
  fails: 0,
  created_at: days(90),
  versions: [
    version(1, {
      state: "held",
      why: ["shrunk"],
      entries: 640,
      people: 420,
      added: 0,
      removed: 363,
      added_at: minutes(50),
    }),
    version(2),
    version(3, { state: "retired", added_at: days(9) }),
  ],
  ...more,
});

const lists: Watchlists = {
  compiled: { sha256: digest, people: 41_203, names: 172_911, broken: false },
  missing: ["pep"],
  items: [
    list(1),
    list(2, {
      name: "own",
      title: "People whom we do not serve",
      topics: ["watch"],
      source: "",
      next_fetch: null,
      last_fetch: null,
      state: "current",
      licence: "our own",
      origin: { publisher: "own list", website: "by hand", licence: "the operator's own" },
      versions: [
        version(4, {
          format: "own-csv",
          from: "upload",
          published_at: null,
          entries: 212,
          people: 212,
          rejected: 1,
          rejected_rows: [88],
        }),
      ],
    }),
  ],
};

const run = (n: number, more: Partial<ScreeningRun> = {}): ScreeningRun => ({
  id: `srn_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  kind: "list_changed",
  list: lists.items[0]?.id ?? "",
  state: "ended",
  people: 12_480,
  done: 12_480,
  hits: 1,
  failed: 0,
  started_at: days(2),
  ended_at: days(2),
  ...more,
});

const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: me },
  "GET /v1/console/watchlists": { json: lists },
  "GET /v1/console/screening-hits": { json: { items: [hit(1, found), hit(2, exposed), back], next: "", counts } },
  "GET /v1/console/screening": {
    json: {
      monitored: 12_480,
      unscreened: 3102,
      runs: [
        run(3, {
          kind: "everybody",
          state: "running",
          people: 3102,
          done: 1840,
          hits: 4,
          ended_at: null,
          started_at: minutes(3),
        }),
        run(1),
        run(2, { kind: "weekly", hits: 0, failed: 2, started_at: days(5) }),
      ],
    },
  },
  [`GET /v1/console/watchlist-versions/${version(1).id}/difference`]: {
    json: {
      added: 0,
      changed: 3,
      removed: 363,
      entries: [
        { change: "changed", id: "6908421", name: "Lindkvist, Oskar Immanuel", kind: "person" },
        { change: "removed", id: "110017", name: "Invented Trading Company", kind: "organisation" },
        { change: "removed", id: "110441", name: "Quillfeather, Zoltan", kind: "person" },
      ],
    },
  },
};

const screened: SessionFile = file(
  { session: session({ state: "in_review", outcome: "referred", external_reference: "customer-4713" }) },
  [
    ...checks(face(0.803, 0.000001, "pass", [])),
    check("screening.sanctions", {
      outcome: "inconclusive",
      reasons: [{ code: "screening.strong_match" }],
      screening: {
        topic: "sanctions",
        index: digest,
        alarms: 1,
        hits: [found],
        lists: [{ name: "un", title: "United Nations", sha256: digest, published: "2026-11-23" }],
      },
    }),
  ],
);

export const screeningStates: State[] = [
  { name: "console-screening", path: "/console/screening", api: desk, sees: "Lindkvist, Oskar Immanuel" },
  {
    name: "console-screening-empty",
    path: "/console/screening",
    api: {
      ...desk,
      "GET /v1/console/screening-hits": { json: { items: [], next: "", counts: { ...counts, open: 0 } } },
    },
    sees: "Nothing to decide",
  },
  {
    name: "console-screening-decide",
    path: "/console/screening",
    api: desk,
    act: async ({ page }) => {
      await page
        .getByRole("button", { name: /Not the person/ })
        .first()
        .waitFor();
      await page.keyboard.press("n");
    },
    sees: "Check again on",
  },
  {
    name: "console-session-screening",
    path: `/console/sessions/${id}`,
    api: {
      ...desk,
      [`GET ${base}`]: { json: screened },
      [`GET ${base}/screening`]: { json: { items: [hit(1, found)], reasons } },
    },
    act: ({ page }) => page.getByRole("heading", { name: "Screening", exact: true }).scrollIntoViewIfNeeded(),
    sees: "Lindkvist, Oskar Immanuel",
  },
  {
    name: "console-screening-search",
    path: "/console/screening/search",
    api: {
      ...desk,
      "POST /v1/console/screening/search": {
        json: {
          index: digest,
          lists: [],
          reasons: ["screening.lists_old"],
          alarms: 1,
          hits: [exposed],
          written_alike: {
            total: 103,
            items: [
              { list: "un", entry: "QDi.9001", listed: "LINDQVIST, Oskar", alike: 100 },
              { list: "ours", entry: "c-17", listed: "Oskár Lindqvistsson-Wennerström", alike: 91 },
            ],
          },
        },
      },
    },
    act: async ({ page }) => {
      await page.getByLabel("Name").fill("Oskar Lindqvist");
      await page.getByLabel("Also list similar spellings").selectOption("90");
      await page.getByRole("button", { name: "Search", exact: true }).click();
    },
    sees: "Found: 1",
  },
  { name: "console-watchlists", path: "/console/settings/watchlists", api: desk, sees: "People whom we do not serve" },
  {
    name: "console-watchlists-none",
    path: "/console/settings/watchlists",
    api: {
      ...desk,
      "GET /v1/console/watchlists": {
        json: {
          items: [],
          missing: ["sanctions", "pep", "watch"],
          compiled: { sha256: "", people: 0, names: 0, broken: false },
        },
      },
    },
    sees: "No watchlists yet",
  },
  {
    name: "console-watchlist-difference",
    path: "/console/settings/watchlists",
    api: desk,
    act: ({ page }) => page.getByRole("button", { name: "Review and use" }).first().click(),
    sees: "0 added, 3 changed, 363 removed",
  },
  {
    name: "console-watchlist-new",
    path: "/console/settings/watchlists",
    api: desk,
    act: ({ page }) => page.getByRole("button", { name: "Add a watchlist" }).click(),
    sees: "Lowercase letters, digits and hyphens. It cannot be changed later.",
  },
  { name: "console-monitoring", path: "/console/settings/monitoring", api: desk, sees: "1,840 of 3,102" },
];
