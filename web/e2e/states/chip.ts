import type { SessionFile } from "../../src/api/wire.ts";
import { signedIn } from "./desk.ts";
import { base, check, checks, claims, digest, face, file, id, session } from "./specimen.ts";
import type { Api, State } from "./state.ts";

// A session whose document proved itself by its chip, and one whose chip proves nothing.

const issuer = (subject: string, by: string, key: string, sha256: string, years: number) => ({
  subject,
  issuer: by,
  key,
  sha256,
  not_before: `${2026 - years}-03-01T00:00:00Z`,
  not_after: `${2036 - years}-03-01T00:00:00Z`,
  der: "",
});
const authority = "C=UT, O=Ministry of the Interior, CN=CSCA Utopia 3";
const signer = issuer("C=UT, O=Passport Office, CN=Document Signer 17", authority, "ECDSA P-256", digest, 1);

const proved = {
  authentic: true,
  not_a_copy: true,
  asked: true,
  has_key: true,
  revocation: "good",
  refusals: [],
  notes: [],
  zone: ["P<UTOLINDQVIST<<OSKAR<<<<<<<<<<<<<<<<<<<<<<<", "PG20513183UTO8410272M33052459292862788<<<<18"],
  groups: ["DG1", "DG2", "DG11", "DG14", "DG15"].map((name) => ({ name, state: "matches" })),
  signature: "ECDSA with SHA-256",
  digest: "SHA-256",
  signed_at: "2026-05-24T09:00:00Z",
  path: [signer, issuer(authority, authority, "ECDSA brainpoolP384r1", digest.replace("9f", "1c"), 4)],
  anchor: { country: "UT", source: "Master list of Utopia, 3 June", accepted_at: "2026-06-03T08:12:00Z" },
  missing: "",
  portrait: "jpeg2000",
  checked_at: "2026-11-21T11:32:40Z",
};

const unproved = {
  ...proved,
  authentic: false,
  not_a_copy: false,
  asked: false,
  revocation: "not_checked",
  refusals: [
    { code: "trust.anchor_missing", says: `no accepted authority is ${authority}` },
    { code: "chip.digest_mismatch", says: "DG11 is not the one that was signed" },
  ],
  notes: [
    {
      code: "chip.copy_not_excluded",
      says: "a copy is not excluded: the chip has a key of Active Authentication and was not asked to use it",
    },
  ],
  groups: proved.groups.map((group) => (group.name === "DG11" ? { ...group, state: "differs" } : group)),
  path: [signer],
  anchor: null,
  missing: `${authority}, key 9A 4F 10 22`,
};

const withChip = (shown: SessionFile, data: unknown): SessionFile => ({
  ...shown,
  captures: [
    ...shown.captures,
    {
      id: "cap_chip",
      step: "chip",
      side: "",
      kind: "chip",
      source: "",
      width: null,
      height: null,
      created_at: "2026-11-21T11:32:40Z",
      url: `${base}/captures/cap_chip`,
    },
  ],
  artifacts: [
    ...shown.artifacts,
    { id: "art_chip", capture: "cap_chip", kind: "chip", side: "", present: true, absent: "", data },
    {
      id: "art_portrait_chip",
      capture: "cap_chip",
      kind: "portrait",
      side: "",
      present: true,
      absent: "",
      url: `${base}/artifacts/art_portrait`,
    },
  ],
});

const passed = { outcome: "pass" as const, reasons: [] };
const approved = withChip(
  file(
    {},
    [
      ...checks({ ...face(0.803, 0.000001, "pass", []), outcome: "pass", reasons: [], portrait: "chip" }),
      ...["chip.authentic", "chip.copy", "chip.revocation", "chip.zone"].map((kind) => check(kind, passed)),
    ],
    [
      ...claims,
      ...["family_name LINDQVIST", "given_names OSKAR", "date_of_birth 1984-10-27", "place_of_birth ZENITH"].map(
        (fact) => {
          const [name = "", value = ""] = fact.split(" ");
          return { name, value, source: "chip" as const, confidence: 1, capture: "cap_chip" };
        },
      ),
    ],
  ),
  proved,
);
const referred = withChip(
  file({ session: session({ state: "in_review", outcome: "referred", external_reference: "customer-4712" }) }, [
    ...checks(face(0.712, 0.000002, "pass", [])),
    check("chip.authentic", {
      outcome: "fail",
      reasons: [{ code: "trust.anchor_missing" }, { code: "chip.digest_mismatch" }],
    }),
    check("chip.copy", { outcome: "inconclusive", reasons: [{ code: "chip.copy_not_excluded" }] }),
    check("chip.revocation", { outcome: "inconclusive", reasons: [{ code: "chip.revocation_unchecked" }] }),
    check("chip.zone", passed),
  ]),
  unproved,
);

const one = (shown: SessionFile): Api => ({ ...signedIn, [`GET ${base}`]: { json: shown } });
const path = `/console/sessions/${id}`;
const down: State["act"] = (shown) =>
  shown.page.getByRole("heading", { name: "Document chip" }).scrollIntoViewIfNeeded();

export const chipStates: State[] = [
  {
    name: "console-session-chip",
    path,
    api: one(approved),
    act: down,
    sees: "Everything read is signed by a trusted state",
  },
  { name: "console-session-chip-unproved", path, api: one(referred), act: down, sees: "Missing certificate:" },
  {
    name: "console-session-chip-masked",
    path,
    api: one(withChip(approved, undefined)),
    act: down,
    sees: "Your role cannot see the chip's contents.",
  },
];
