import { here } from "./desk.ts";
import type { State } from "./state.ts";

// A password that somebody forgot, and what the mail server took.

const mail = (n: number, kind: string, state: string, more: object = {}) => ({
  id: `mal_06c1q2m3n4p5r6s7t8v9w0x1y${n}`,
  kind,
  state,
  session: null,
  subject: "",
  attempts: 1,
  fault: null,
  next_at: null,
  created_at: `2026-11-21T1${n}:31:00Z`,
  ended_at: state === "due" ? null : `2026-11-21T1${n}:31:02Z`,
  ...more,
});

export const mails = {
  on: true,
  from: "identity@bank.example",
  host: "smtp.bank.example:587",
  items: [
    mail(4, "link", "sent", { session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2" }),
    mail(3, "cases_late", "due", { attempts: 3, fault: "later", next_at: "2026-11-21T14:00:00Z" }),
    mail(2, "invitation", "failed", { attempts: 9, fault: "address" }),
    mail(1, "password_reset", "dropped"),
  ],
  next: "",
};

const outside = { "GET /v1/console/setup": { json: here } };
const opened = { "POST /v1/console/password/peek": { json: { email: "ida@bank.example" } } };

export const mailStates: State[] = [
  { name: "console-forgot", path: "/forgot", api: outside, sees: "Email me a link" },
  {
    name: "console-forgot-sent",
    path: "/forgot",
    api: { ...outside, "POST /v1/console/password/forgot": { status: 202, json: {} } },
    act: async ({ page }) => {
      await page.getByLabel("Email").fill("ida.lindqvist@a-long-name-of-a-bank.example");
      await page.getByRole("button", { name: "Email me a link" }).click();
    },
    sees: "Check your email",
  },
  {
    name: "console-forgot-off",
    path: "/forgot",
    api: { "GET /v1/console/setup": { json: { ...here, mail: false } } },
    sees: "This deployment sends no email",
  },
  {
    name: "console-reset",
    path: "/reset#token=prt_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: { ...outside, ...opened },
    sees: "Save the password",
  },
  {
    name: "console-reset-gone",
    path: "/reset#token=prt_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: {
      ...outside,
      "POST /v1/console/password/peek": {
        status: 404,
        json: { code: "not_found", title: "Not found.", remedy: "", status: 404 },
      },
    },
    sees: "This link no longer works",
  },
];
