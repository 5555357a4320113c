import { describe, expect, it } from "vitest";
import type { Me, Role, TrustCountry, Trusted, TrustUpdate } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { acceptBlock, byCountry, coverOf, daysSince, found, mayWrite, revocationOf, undoBlock } from "./trust.ts";

const member = (id: string, roles: Role[], may: string[] = ["trust.read", "trust.write"]): Me => ({
  id,
  roles,
  may,
  masked: [],
  name: id,
  email: `${id}@bank.example`,
  passkeys: [],
  password: true,
  recovery_codes: 0,
  second_factor: false,
  authenticator_app: false,
  notices: [],
  offered_notices: [],
  sso: false,
});

const act = (by: string) => ({ by, name: by, at: "2030-06-01T12:00:00Z" });

const update = (more: Partial<TrustUpdate> = {}): TrustUpdate => ({
  id: "tru_1",
  mode: "live",
  kind: "master_list",
  state: "pending",
  purpose: "csca",
  scope: "DE",
  subject: "C=DE, CN=Lister",
  source: "",
  sha256: "00",
  count: 2,
  dated: null,
  proposed: act("usr_ida"),
  settled: null,
  undo_asked: null,
  undone: null,
  ...more,
});

const country = (code: string, valid: number, later: number): TrustCountry => ({
  country: code,
  roots: 2,
  links: 0,
  valid,
  valid_in_90_days: later,
  expired: 2 - valid,
  expire_within_90_days: valid - later,
  last_expiry: "2031-01-01T00:00:00Z",
});

const trusted = (more: Partial<Trusted> = {}): Trusted => ({
  mode: "live",
  two_persons: false,
  countries: [country("DE", 2, 1), country("FR", 1, 0), country("NO", 0, 0)],
  gaps: [],
  others: [],
  updates: [],
  unusable: [],
  lists: [],
  revocation_lists: [],
  warnings: [],
  ...more,
});

const revoked = (scope: string, usable: boolean) => ({
  update: `tru_${scope}`,
  purpose: "csca" as const,
  scope,
  issuer: `C=${scope}`,
  dated: "2030-05-01T00:00:00Z",
  until: "2030-08-01T00:00:00Z",
  entries: 3,
  usable,
});

describe("who may accept and undo", () => {
  const ida = member("usr_ida", ["owner"]);
  const otto = member("usr_otto", ["admin"]);
  it.each([
    ["one's own, where one person is enough", ida, false, update(), null],
    ["one's own, where two are wanted", ida, true, update(), "same_person"],
    ["somebody else's, where two are wanted", otto, true, update(), null],
    ["the operator's, where two are wanted", ida, true, update({ proposed: act("") }), null],
    ["without the permission", member("usr_r", ["reviewer"], ["trust.read"]), false, update(), "role"],
    ["a developer in live mode", member("usr_d", ["developer"]), false, update(), "role"],
    ["a developer in test mode", member("usr_d", ["developer"]), false, update({ mode: "test" }), null],
  ])("accepting %s", (_, me, two, one, want) => {
    expect(acceptBlock(me, two, one)).toBe(want);
  });
  it("keeps whoever asked to undo from agreeing to it", () => {
    const asked = update({ state: "in_force", undo_asked: act("usr_ida") });
    expect(undoBlock(ida, true, asked)).toBe("same_undo");
    expect(undoBlock(otto, true, asked)).toBe(null);
    expect(undoBlock(ida, false, asked)).toBe(null);
    expect(mayWrite(member("usr_r", ["reviewer"], ["trust.read"]), "test")).toBe(false);
  });
});

describe("countries", () => {
  it("are covered, expire or have expired", () => {
    expect(trusted().countries.map((one) => coverOf(one).cover)).toEqual(["covered", "expires", "expired"]);
  });
  it("are found by name, code and filter", () => {
    const all = trusted({ revocation_lists: [revoked("DE", true), revoked("FR", false)] });
    expect(found(all, " germ", "all").map((one) => one.country)).toEqual(["DE"]);
    expect(found(all, "no", "all").map((one) => one.country)).toEqual(["NO"]);
    expect(found(all, "", "attention").map((one) => one.country)).toEqual(["FR", "NO"]);
    expect(found(all, "", "unrevoked").map((one) => one.country)).toEqual(["FR", "NO"]);
    expect(found(all, "xyz", "all")).toEqual([]);
  });
  it("say whether their signers are checked", () => {
    const all = trusted({ revocation_lists: [revoked("DE", true), revoked("FR", false)] });
    expect(["DE", "FR", "NO"].map((code) => revocationOf(all, code).state)).toEqual(["good", "old", "none"]);
  });
  it("have names, organisations too", () => {
    expect(countryName("NO")).toBe("Norway");
    expect(countryName("UNO")).toBe("United Nations");
    expect(countryName("")).toBe("");
  });
});

describe("a difference", () => {
  it("is counted by country", () => {
    const change = (kind: "added" | "removed" | "changed", code: string) => ({
      kind,
      country: code,
      before: null,
      after: null,
    });
    const got = byCountry([change("added", "DE"), change("removed", "DE"), change("added", "FR")]);
    expect(got.map(({ country: code, added, removed, changed }) => [code, added, removed, changed])).toEqual([
      ["DE", 1, 1, 0],
      ["FR", 1, 0, 0],
    ]);
  });
  it("knows how old a list is", () => {
    expect(daysSince("2030-06-01T12:00:00Z", Date.parse("2030-06-03T11:00:00Z"))).toBe(1);
    expect(daysSince("2030-06-05T12:00:00Z", Date.parse("2030-06-03T11:00:00Z"))).toBe(0);
  });
});
