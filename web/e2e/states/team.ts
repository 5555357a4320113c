import type { Invitation, MemberKey, Problem, TeamMember } from "../../src/api/wire.ts";
import { here, me, open, signedIn } from "./desk.ts";
import type { Shown, State } from "./state.ts";

export const member = (n: number, name: string, email: string, more: Partial<TeamMember> = {}): TeamMember => ({
  id: `usr_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  name,
  email,
  roles: ["reviewer"],
  second_factor: false,
  authenticator_app: false,
  passkeys: 0,
  sso: false,
  password: true,
  created_at: "2026-11-02T09:00:00Z",
  last_login_at: "2026-11-21T11:02:00Z",
  disabled_at: null,
  keys: [],
  ...more,
});

const apiKey = (n: number, name: string, mode: MemberKey["mode"], last_used_at: string | null): MemberKey => ({
  id: `key_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  name,
  mode,
  prefix: `bf_${mode}_4r7${n}`,
  last_used_at,
});

const members: TeamMember[] = [
  member(2, me.name, me.email, { roles: ["owner"], second_factor: true }),
  member(3, "Bram de Wit", "bram@bank.example", {
    roles: ["senior_reviewer", "privacy_officer", "admin"],
    keys: [apiKey(1, "nightly export", "live", "2026-11-21T03:00:00Z"), apiKey(2, "trying things out", "test", null)],
  }),
  member(4, "Aurélie Marchand-Delacroix", "aurelie.marchand-delacroix@a-long-name-of-a-bank.example", {
    second_factor: true,
    last_login_at: null,
  }),
  member(5, "Nobody Anymore", "gone@bank.example", {
    roles: ["developer"],
    disabled_at: "2026-11-20T10:00:00Z",
    keys: [apiKey(3, "shop-backend", "live", "2026-11-21T11:40:00Z")],
  }),
];

const invitation: Invitation = {
  id: "inv_06c1q2m3n4p5r6s7t8v9w0x1y2",
  email: "zofia@bank.example",
  roles: ["reviewer"],
  invited_by: me.id,
  created_at: "2026-11-21T11:00:00Z",
  expires_at: "2026-11-28T11:00:00Z",
};

const refused = (code: Problem["code"]): Problem => ({
  type: `/docs/errors#${code}`,
  code,
  title: "Refused.",
  remedy: "",
  status: 401,
  severity: "",
  request_id: "req_7Q2M",
});

const team = { ...signedIn, "GET /v1/console/team": { json: { members, invitations: [invitation] } } };
const account = {
  ...signedIn,
  "GET /v1/console/me": { json: { ...me, second_factor: true, authenticator_app: true, recovery_codes: 9 } },
};

const drawn = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Bank:ida",
  qr: { size: 29, path: "M4 4h7v7h-7zM18 4h7v7h-7zM4 18h7v7h-7zM13 6h1v1h-1zM14 9h2v1h-2zM19 19h3v3h-3z" },
};

const keepOut = (name: string) => async (shown: Shown) => {
  await open(`More actions for ${name}`)(shown);
  await shown.page.getByRole("menuitem", { name: "Disable" }).click();
};

const invited = {
  "POST /v1/console/join/peek": {
    json: { email: "zofia@bank.example", roles: ["reviewer", "auditor"], expires_at: "2026-11-28T11:00:00Z" },
  },
};

export const teamStates: State[] = [
  { name: "console-team", path: "/console/settings/team", api: team, sees: "Aurélie Marchand-Delacroix" },
  {
    name: "console-team-alone",
    path: "/console/settings/team",
    api: { ...signedIn, "GET /v1/console/team": { json: { members: members.slice(0, 1), invitations: [] } } },
    sees: "You are the only member",
  },
  {
    name: "console-team-invite",
    path: "/console/settings/team",
    api: team,
    act: open("Invite member"),
    sees: "Create link",
  },
  {
    name: "console-team-invited",
    path: "/console/settings/team",
    api: {
      ...team,
      "POST /v1/console/team/invitations": {
        status: 201,
        json: { ...invitation, url: "http://localhost:8080/join#token=Xr2bq0bqj3vJ0rC2v8v9w0x1y2Zk3m4n5p6q7r8s9t0" },
      },
    },
    act: async (shown) => {
      await open("Invite member")(shown);
      await shown.page.getByLabel("Their email").fill("zofia@bank.example");
      await open("Create link")(shown);
    },
    sees: "The link is ready",
  },
  {
    name: "console-team-kept-out",
    path: "/console/settings/team",
    api: { ...team, [`POST /v1/console/team/members/${members[1]?.id}/disable`]: { json: members[1] } },
    act: async (shown) => {
      await keepOut("Bram de Wit")(shown);
      await shown.page.getByRole("checkbox").check();
      await open("Disable and revoke")(shown);
    },
    sees: "Bram de Wit can no longer sign in, and 2 of their keys were revoked.",
  },
  {
    name: "console-team-keep-out",
    path: "/console/settings/team",
    api: team,
    act: async (shown) => {
      await keepOut("Bram de Wit")(shown);
      await shown.page.getByRole("checkbox").check();
    },
    sees: "Disable and revoke",
  },
  {
    name: "console-team-keep-out-no-keys",
    path: "/console/settings/team",
    api: team,
    act: keepOut("Aurélie Marchand-Delacroix"),
    sees: /Aurélie .* has no active API keys/,
  },
  {
    name: "console-team-revoke-keys",
    path: "/console/settings/team",
    api: team,
    act: async (shown) => {
      await open("More actions for Nobody Anymore")(shown);
      await shown.page.getByRole("menuitem", { name: "Revoke their API keys" }).click();
    },
    sees: "Revoke the API keys of Nobody Anymore?",
  },
  { name: "console-account", path: "/console/settings/account", api: account, sees: "On. 9 recovery codes left." },
  {
    name: "console-account-factor",
    path: "/console/settings/account",
    api: { ...signedIn, "POST /v1/console/me/factor": { json: drawn } },
    act: async (shown) => {
      await open("Set up")(shown);
      await shown.page.getByLabel("Current password").first().fill("not my password");
      await open("Set up")(shown);
    },
    sees: "Scan this with your authenticator app, or type in the key.",
  },
  {
    name: "console-account-recovery",
    path: "/console/settings/account",
    api: {
      ...signedIn,
      "POST /v1/console/me/factor": { json: drawn },
      "POST /v1/console/me/factor/confirm": {
        json: { codes: Array.from({ length: 10 }, (_, n) => `k${n}fq-7tzb-m2ud-x4a${n}`) },
      },
    },
    act: async (shown) => {
      await open("Set up")(shown);
      await shown.page.getByLabel("Current password").first().fill("not my password");
      await open("Set up")(shown);
      await shown.page.getByLabel("Code from the app").fill("123456");
      await open("Turn on")(shown);
    },
    sees: "Your recovery codes",
  },
  {
    name: "console-login-code",
    path: "/login",
    api: {
      "GET /v1/console/setup": { json: here },
      "POST /v1/console/login": { status: 401, json: refused("auth.second_factor") },
    },
    act: async ({ page: tab }) => {
      await tab.getByLabel("Email").fill(me.email);
      await tab.getByLabel("Password", { exact: true }).fill("not the password");
      await tab.getByRole("button", { name: "Sign in" }).click();
    },
    sees: "Authenticator code",
  },
  {
    name: "console-join",
    path: "/join#token=stp_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: invited,
    sees: /You were invited as zofia/,
  },
  {
    name: "console-join-gone",
    path: "/join#token=stp_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: { "POST /v1/console/join/peek": { status: 401, json: refused("auth.invalid") } },
    sees: "This invitation no longer works",
  },
];
