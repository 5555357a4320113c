import type { Passkey } from "../../src/api/wire.ts";
import { here, me, open, signedIn } from "./desk.ts";
import type { State } from "./state.ts";
import { member } from "./team.ts";

// The ways in: passkeys, and showing once more who one is.

const passkey = (n: number, name: string, more: Partial<Passkey> = {}): Passkey => ({
  id: `pky_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  name,
  synced: false,
  created_at: "2026-09-02T09:00:00Z",
  last_used_at: null,
  ...more,
});

const passkeys = [
  passkey(1, "Work laptop", { last_used_at: "2026-11-21T11:02:00Z" }),
  passkey(2, "Phone", { synced: true, last_used_at: "2026-11-18T07:40:00Z" }),
  passkey(3, "The yellow security key that hangs on the ring with the bicycle"),
];
const ida = { ...me, second_factor: true, authenticator_app: true, recovery_codes: 8, passkeys };

const stepUp = {
  status: 403,
  json: {
    type: "/v1/catalogue#auth.step_up",
    code: "auth.step_up",
    title: "Please confirm your identity.",
    remedy: "Use a passkey, or your password and a code, then repeat the call.",
    status: 403,
    severity: "",
    request_id: "req_7Q2M",
  },
};

const security = {
  origin: "https://id.bank.example",
  passkeys: true,
  idle_minutes: 30,
  total_hours: 12,
  proof_minutes: 10,
  sso: {
    name: "Bank account",
    issuer: "https://login.bank.example/realms/staff",
    client_id: "bonafide",
    domains: ["bank.example"],
    roles: [
      { claim: "groups", value: "identity-reviewers", role: "reviewer" },
      { claim: "groups", value: "compliance", role: "auditor" },
    ],
  },
};
const everyone = {
  members: [
    member(2, me.name, me.email, { roles: ["owner"], second_factor: true, passkeys: 2, authenticator_app: true }),
    member(3, "Bram de Wit", "bram@bank.example"),
    member(4, "Aurélie Marchand-Delacroix", "aurelie@bank.example", { sso: true, password: false }),
  ],
  invitations: [],
};

export const doorStates: State[] = [
  {
    name: "console-security",
    path: "/console/settings/security",
    api: {
      ...signedIn,
      "GET /v1/console/settings/security": { json: security },
      "GET /v1/console/team": { json: everyone },
    },
    sees: "How members sign in",
  },
  {
    name: "console-sign-in-failures",
    path: "/console/settings/security",
    api: {
      ...signedIn,
      "GET /v1/console/me": { json: { ...me, failures: { passwords: 12, codes: 3, since: "2026-11-20T21:14:00Z" } } },
      "GET /v1/console/settings/security": { json: security },
      "GET /v1/console/team": { json: everyone },
    },
    sees: "Wrong passwords: 12. Wrong codes: 3.",
  },
  {
    name: "console-login-sso",
    path: "/login",
    api: { "GET /v1/console/setup": { json: { ...here, sso: "Bank account" } } },
    sees: "Continue with Bank account",
  },
  {
    name: "console-sso-refused",
    path: "/login/sso?state=s&code=c",
    api: {
      "POST /v1/console/sso/finish": {
        status: 403,
        json: {
          ...stepUp.json,
          code: "auth.sso_refused",
          title: "Single sign-on did not let you in.",
          detail:
            "Nothing that the identity provider says about you gives you a role here. Ask to be put into a group that has one.",
        },
      },
    },
    sees: "You are not signed in",
  },
  {
    name: "console-login-elsewhere",
    path: "/login",
    api: { "GET /v1/console/setup": { json: { ...here, origin: "https://id.bank.example" } } },
    sees: "Passkeys only work at this deployment's own address:",
  },
  {
    name: "console-account-passkeys",
    path: "/console/settings/account",
    api: { ...signedIn, "GET /v1/console/me": { json: ida } },
    sees: "Work laptop",
  },
  {
    name: "console-account-passkey-name",
    path: "/console/settings/account",
    api: signedIn,
    act: open("Add a passkey"),
    sees: "Create passkey",
  },
  {
    name: "console-proof",
    path: "/console/settings/account",
    api: {
      ...signedIn,
      "GET /v1/console/me": { json: ida },
      [`POST /v1/console/me/passkeys/${passkeys[0]?.id}/remove`]: stepUp,
    },
    act: async (shown) => {
      await open("Remove Work laptop")(shown);
      await open("Remove passkey")(shown);
    },
    sees: "Confirm it's you",
  },
  {
    name: "console-offer",
    path: "/setup#token=stp_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: {
      ...signedIn,
      "GET /v1/console/setup": { json: { ...here, needed: true } },
      "POST /v1/console/setup": { json: me },
    },
    act: async ({ page }) => {
      await page.getByLabel("Your name").fill("Ida Lindqvist");
      await page.getByLabel("Email").fill(me.email);
      await page.getByLabel("Password", { exact: true }).fill("a long sentence to sign in with");
      await page.getByRole("button", { name: "Create account" }).click();
    },
    sees: "Sign in without a password next time?",
  },
];
