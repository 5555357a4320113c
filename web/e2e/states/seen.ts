import type { BlockEntry, DuplicateCluster, LinkDecided, Me, SeenSession, SessionFile } from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import { base, check, checks, face, file, id, session } from "./specimen.ts";
import type { Api, State } from "./state.ts";

// Duplicates, the block list, and what a session's page says of both.

const minutes = (n: number) => new Date(Date.now() - n * 60_000).toISOString();
const days = (n: number) => minutes(n * 24 * 60);
const me: Me = { ...owner, may: [...owner.may, "blocklist.read", "blocklist.write"] };

const other = `${id.slice(0, -1)}7`;
const third = `${id.slice(0, -1)}8`;

const undecided: LinkDecided = {
  state: "open",
  returned: false,
  reason: "",
  note: "",
  decided_by: "",
  decided_at: null,
  second_by: "",
  second_at: null,
  said: [],
  version: 0,
};
const said = (change: Partial<LinkDecided>): LinkDecided => ({
  ...undecided,
  decided_by: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
  decided_at: minutes(30),
  version: 1,
  ...change,
});

const earlier: SeenSession = {
  id: other,
  state: "approved",
  outcome: "approved",
  external_reference: "customer-1204",
  document_kind: "passport",
  created_at: days(40),
  same: ["document", "person"],
  face: "other",
  facts: "same",
  same_reference: false,
  refers: true,
  found_at: minutes(4),
  erased: false,
  signs: ["document", "person", "other_face"],
  decided: undecided,
};

const gone: SeenSession = {
  ...earlier,
  id: third,
  external_reference: "",
  document_kind: null,
  same: ["document"],
  face: "not_comparable",
  facts: "unknown",
  erased: true,
  signs: [],
};

const sister: SeenSession = {
  ...earlier,
  id: `${id.slice(0, -1)}9`,
  external_reference: "customer-0977",
  same: ["face"],
  face: "same",
  facts: "differ",
  refers: false,
  signs: ["face", "other_facts"],
  decided: said({
    state: "not_the_same",
    reason: "relative",
    note: "Twin sister, both came to the branch.",
    said: [
      {
        by: "usr_06c1q2m3n4p5r6s7t8v9w0x1y3",
        name: "Noor Haddad",
        at: minutes(90),
        decision: "unsure",
        note: "Are there twins?",
      },
      {
        by: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
        name: "Ida Lindqvist",
        at: minutes(30),
        decision: "not_the_same",
        reason: "relative",
        note: "Twin sister, both came to the branch.",
      },
    ],
  }),
};

const cluster = (n: number): DuplicateCluster => ({
  found_at: minutes(n),
  sessions: [id, other, third].slice(0, n + 1).map((one, i) => ({
    id: one,
    state: i === 0 ? ("in_review" as const) : ("approved" as const),
    outcome: i === 0 ? ("referred" as const) : ("approved" as const),
    document_kind: "passport" as const,
    created_at: days(i * 20),
  })),
  links: [
    {
      from: id,
      to: other,
      same: ["document", "person"],
      face: "other",
      signs: ["document", "person", "other_face"],
      decided: undecided,
    },
    {
      from: id,
      to: third,
      same: ["person"],
      signs: ["person"],
      decided: said(n > 1 ? { state: "awaits_second" } : { returned: true, reason: "namesake" }),
    },
  ],
});

const entry = (n: number, change: Partial<BlockEntry>): BlockEntry => ({
  id: `blk_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  mode: "test",
  kind: "document",
  state: "active",
  declines: false,
  reason: "forged",
  hint: "UTO",
  session: other,
  valid_until: new Date(Date.now() + 300 * 86_400_000).toISOString(),
  added_by: "user:usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
  added_at: days(3),
  confirmed_by: "",
  confirmed_at: null,
  removed_by: "",
  removed_at: null,
  ...change,
});

const reasons = ["forged", "stolen", "impersonation", "chargeback", "abuse", "other"];

const linkReasons = ["other_face", "namesake", "relative", "misread", "shared_picture", "other"];

const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: me },
  "GET /v1/console/duplicates": {
    json: {
      items: [cluster(2), cluster(1)],
      reasons: linkReasons,
      galleries: [
        {
          name: "customers",
          faces: 1834,
          state: "ready",
          memory_bytes: 2_375_680,
          carries: [{ fpir: "1e-2", faces: 2413, alone: 0.52, beside: 0.41 }],
        },
      ],
    },
  },
  "GET /v1/console/velocity": { json: { ranges: ["203.0.113.0/24", "2001:db8:40::/48"] } },
  "GET /v1/console/blocklist": {
    json: {
      items: [
        entry(1, { state: "awaits_second", declines: true }),
        entry(2, { declines: true, confirmed_by: "user:usr_06c1q2m3n4p5r6s7t8v9w0x1y3", confirmed_at: days(1) }),
        entry(3, { kind: "address", hint: "198.51.100.0/24", session: null, reason: "abuse" }),
        entry(5, { kind: "face", hint: "main", reason: "impersonation" }),
        entry(4, { kind: "person", hint: "", state: "removed", removed_at: days(1) }),
      ],
      next: "",
      reasons,
      unwatched: ["no_liveness"],
      faceless: ["default"],
    },
  },
};

const seen: SessionFile = file(
  { session: session({ state: "in_review", outcome: "referred", external_reference: "customer-4713" }) },
  [
    ...checks(face(0.803, 0.000001, "pass", [])),
    check("duplicate.document", {
      outcome: "inconclusive",
      reasons: [{ code: "duplicate.document_other_face" }],
      seen: { others: [{ session: other, same: ["document"], face: "other", facts: "same", refers: true }] },
    }),
    check("duplicate.face", {
      outcome: "pass",
      reasons: [],
      seen: {
        gallery: {
          faces: 1834,
          alone: 0.482,
          beside: 0.412,
          strangers: 0.0076,
          target: 0.01,
          fnmr: 0.021,
          most_alone: 2413,
        },
      },
    }),
    check("velocity.counts", {
      outcome: "pass",
      reasons: [],
      seen: { velocity: { address_hour: 2, address_day: 9, document: 2, person: 2, reference: 1, known: true } },
    }),
  ],
);

const listed: SessionFile = { ...seen, session: { ...seen.session, id: other, external_reference: "customer-1204" } };

export const seenStates: State[] = [
  { name: "console-duplicates", path: "/console/duplicates", api: desk, sees: "3 sessions" },
  {
    name: "console-duplicates-empty",
    path: "/console/duplicates",
    api: { ...desk, "GET /v1/console/duplicates": { json: { items: [], reasons: linkReasons } } },
    sees: "No duplicates",
  },
  { name: "console-blocklist", path: "/console/blocklist", api: desk, sees: "Waiting for a second member" },
  {
    name: "console-blocklist-empty",
    path: "/console/blocklist",
    api: {
      ...desk,
      "GET /v1/console/blocklist": { json: { items: [], next: "", reasons, unwatched: [], faceless: [] } },
    },
    sees: "Nothing is on the block list",
  },
  {
    name: "console-blocklist-add",
    path: "/console/blocklist",
    api: desk,
    act: ({ page }) => page.getByRole("button", { name: "Add to the block list" }).click(),
    sees: "Document number",
  },
  {
    name: "console-blocklist-face",
    path: "/console/blocklist",
    api: { ...desk, [`GET /v1/console/sessions/${other}`]: { json: listed } },
    act: ({ page }) => page.getByRole("button", { name: /^Show the face/ }).click(),
    sees: "Hide the face",
  },
  {
    name: "console-blocklist-session",
    path: `/console/sessions/${id}`,
    api: {
      ...desk,
      [`GET ${base}`]: { json: seen },
      [`GET ${base}/seen`]: { json: { items: [earlier], reasons: linkReasons } },
    },
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Add this session to the block list" }).click();
      await page.getByLabel("Entry").selectOption("Face");
    },
    sees: "Only applicants who agreed",
  },
  {
    name: "console-session-seen",
    path: `/console/sessions/${id}`,
    api: {
      ...desk,
      [`GET ${base}`]: { json: seen },
      [`GET ${base}/seen`]: { json: { items: [earlier, sister, gone], reasons: linkReasons } },
    },
    act: ({ page }) => page.getByRole("heading", { name: "Seen before", exact: true }).scrollIntoViewIfNeeded(),
    sees: "customer-1204",
  },
];
