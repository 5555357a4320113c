import type { TrustCountry, Trusted, TrustUpdate } from "../../src/api/wire.ts";
import { me, signedIn } from "./desk.ts";
import type { State } from "./state.ts";

// Whom a deployment trusts: nobody yet, or some countries with what needs somebody.

const act = (name: string, at: string) => ({ by: `usr_${name}`, name, at });

const update = (n: number, more: Partial<TrustUpdate> = {}): TrustUpdate => ({
  id: `tru_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  mode: "live",
  kind: "master_list",
  state: "in_force",
  purpose: "csca",
  scope: "DE",
  subject: "C=DE, O=Federal Office, CN=German Master List Signer",
  source: "bsi.bund.de, 3 November",
  sha256: "9f2c".repeat(16),
  count: 512,
  dated: "2026-10-30T00:00:00Z",
  proposed: act("Bram de Wit", "2026-11-03T09:00:00Z"),
  settled: act("Ida Lindqvist", "2026-11-03T10:00:00Z"),
  undo_asked: null,
  undone: null,
  ...more,
});

const country = (code: string, valid: number, later: number, expiry: string): TrustCountry => ({
  country: code,
  roots: 3,
  links: valid > 1 ? 2 : 0,
  valid,
  valid_in_90_days: later,
  expired: 3 - valid,
  expire_within_90_days: valid - later,
  last_expiry: expiry,
});

const list = (scope: string, until: string, usable: boolean) => ({
  update: `tru_crl_${scope}`,
  purpose: "csca" as const,
  scope,
  issuer: `C=${scope}, CN=CSCA`,
  dated: "2026-11-01T00:00:00Z",
  until,
  entries: 14,
  usable,
});

const nobody: Trusted = {
  mode: "live",
  two_persons: true,
  countries: [],
  gaps: [],
  others: [],
  updates: [],
  unusable: [],
  lists: [],
  revocation_lists: [],
  warnings: [],
};

const some: Trusted = {
  ...nobody,
  countries: [
    country("BA", 1, 0, "2027-01-14T00:00:00Z"),
    country("DE", 3, 3, "2036-05-01T00:00:00Z"),
    country("GB", 2, 2, "2034-02-01T00:00:00Z"),
    country("VC", 0, 0, "2025-08-30T00:00:00Z"),
  ],
  gaps: ["AF", "KI", "TV"],
  updates: [
    update(1, { state: "pending", settled: null, proposed: act("Bram de Wit", "2026-11-20T09:00:00Z"), count: 519 }),
    update(2),
  ],
  lists: [
    {
      update: "tru_06c1q2m3n4p5r6s7t8v9w0x1y2",
      kind: "master_list",
      scope: "DE",
      dated: "2026-10-30T00:00:00Z",
      certificates: 512,
      usable: true,
    },
  ],
  revocation_lists: [list("DE", "2027-02-01T00:00:00Z", true), list("GB", "2026-10-01T00:00:00Z", false)],
  warnings: [
    { kind: "authority_expired", purpose: "csca", scope: "VC", update: "", at: "2025-08-30T00:00:00Z" },
    { kind: "authority_expires", purpose: "csca", scope: "BA", update: "", at: "2027-01-14T00:00:00Z" },
    { kind: "revocation_old", purpose: "csca", scope: "GB", update: "tru_crl_GB", at: "2026-10-01T00:00:00Z" },
  ],
};

const trusting = (json: Trusted) => ({
  ...signedIn,
  "GET /v1/console/me": { json: { ...me, may: [...me.may, "trust.read", "trust.write"] } },
  "GET /v1/console/trust": { json },
});

export const trustStates: State[] = [
  {
    name: "console-trust",
    path: "/console/settings/trust?mode=live",
    api: trusting(some),
    sees: "Waiting for acceptance",
  },
  {
    name: "console-trust-none",
    path: "/console/settings/trust?mode=live",
    api: trusting(nobody),
    sees: "No authorities are trusted yet",
  },
  {
    name: "console-trust-upload",
    path: "/console/settings/trust?mode=live",
    api: trusting(some),
    act: async ({ page }) => page.getByRole("button", { name: "Upload …" }).click(),
    sees: "Check file",
  },
];
