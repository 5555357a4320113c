import { expect, type Page } from "@playwright/test";
import { caller } from "./support/call.ts";
import { agree, pickCountry } from "./support/country.ts";
import { specimen } from "./support/fixtures.ts";
import { looks } from "./support/looks.ts";
import { Mailbox } from "./support/mailbox.ts";
import { owner, setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { test } from "./support/test.ts";

// Email with the real server and somebody else's SMTP server: the code that continues a check, a link that the console sends, a
// password that was forgotten.
let mailbox: Mailbox;
let server: Server;

test.beforeAll(async () => {
  mailbox = await Mailbox.open();
  server = await serve(...mailbox.flags);
});
test.afterAll(async () => {
  await server?.stop();
  await mailbox?.close();
});

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });

/** The first address in a text, without what ends a sentence. */
function linkIn(text: string): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

const digitsIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? "";

/** Another code than the one that was mailed. */
const not = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

test("a check with pictures continues in another browser with the code that was mailed", async ({ open }) => {
  const pictures = specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");
  const session = await caller(() => server)("POST", "/v1/sessions", {
    workflow: "no_liveness",
    applicant: { email: "ann@home.example" },
  });
  const { page: first } = await open("phone");
  await first.goto(session.url);
  await press(first, "Start");
  await agree(first);
  await pickCountry(first);
  await press(first, /^Passport/);
  await heading(first, /passport's photo page/);
  await send(first, pictures.front);
  await heading(first, /photo of your face/);

  const { page: second, complaints } = await open("phone");
  await second.goto(session.url);
  await heading(second, "Continue with a code");
  await expect(second.locator("body")).not.toContainText(/ann@home|ERIKSSON|ALDER/i);
  await looks(second, "mail", "code-offered", "phone");
  await press(second, "Send me a code");
  const mail = await mailbox.take("ann@home.example");
  expect(mail.subject).not.toMatch(/\d{6}/);
  const code = digitsIn(mail.text);
  expect(digitsIn(mail.html.replace(/<[^>]*>|&[^;]*;/g, " "))).toBe(code);
  expect(mail.html).not.toMatch(/<img|url\(/);

  const field = second.getByRole("textbox", { name: "Code" });
  await field.fill(not(code));
  await field.press("Enter");
  await second.getByText(/That code is/).waitFor();
  await looks(second, "mail", "code-wrong", "phone");
  await field.fill(code);
  await field.press("Enter");
  await heading(second, /photo of your face/);
  await first.reload();
  await heading(first, /continues in another tab or browser/);
  expect(await second.locator("img[src^='blob:']").count()).toBe(0);
  await send(second, pictures.selfie);
  await heading(second, "You are verified");
  expect(complaints).toEqual([]);

  const { page: third } = await open("phone");
  await third.goto(session.url);
  await expect(third.getByRole("button", { name: "Send me a code" })).toHaveCount(0);
});

test("the console emails a link, lists it without its address, and lets a member choose a new password @nightly", async ({
  open,
}) => {
  const { page, complaints } = await open("desktop");
  await setUp(page, server.setupLink);
  await page.getByRole("link", { name: /^Sessions/ }).click();
  await press(page, /New test session/);
  await page.getByLabel("Email address").fill("bob@home.example");
  await page.getByLabel("Email the link to this address").check();
  await looks(page, "mail", "new-session");
  await press(page, "Create session");
  await page.getByText(/being emailed/).waitFor();
  const invited = await mailbox.take("bob@home.example");
  expect(invited.subject).toContain("Verify your identity");
  const { page: applicant } = await open("phone");
  await applicant.goto(linkIn(invited.text));
  await heading(applicant, /Verify your identity/);

  await press(page, "Close");
  await page.getByRole("link", { name: "System", exact: true }).click();
  await press(page, "Send me a test email");
  await page
    .getByText(/test email/i)
    .last()
    .waitFor();
  await mailbox.take(owner.email);
  await page
    .getByRole("row", { name: /Link for an applicant/ })
    .getByText("Sent")
    .waitFor();
  await expect(page.locator("body")).not.toContainText("bob@home.example");
  await looks(page, "mail", "system");

  await page.getByTitle("Your account").click();
  await page.getByRole("heading", { name: "Email notices" }).waitFor();
  await looks(page, "mail", "account");

  const { page: outside } = await open("desktop");
  await outside.goto(`${server.url}/login`);
  await outside.getByRole("link", { name: "Forgot your password?" }).click();
  await outside.getByLabel("Email").fill("nobody@bank.example");
  await looks(outside, "mail", "forgot");
  await press(outside, "Email me a link");
  await heading(outside, "Check your email");
  const said = (await outside.getByText(/If there is an account/).textContent()) ?? "";
  await outside.goto(`${server.url}/forgot`);
  await outside.getByLabel("Email").fill(owner.email);
  await press(outside, "Email me a link");
  await heading(outside, "Check your email");
  expect(await outside.getByText(/If there is an account/).textContent()).toBe(
    said.replace("nobody@bank.example", owner.email), // it does not tell whose address has an account
  );
  const reset = linkIn((await mailbox.take(owner.email)).text);
  await outside.goto(reset);
  await outside.getByLabel("Password", { exact: true }).fill("another long sentence to sign in with");
  await looks(outside, "mail", "reset");
  await press(outside, "Save the password");
  await heading(outside, "Your password was changed");
  await mailbox.take(owner.email); // says so to whoever reads that mailbox

  await page.reload(); // signed out everywhere
  await heading(page, "Sign in");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill("another long sentence to sign in with");
  await press(page, "Sign in");
  await page.getByRole("link", { name: /Review queue/ }).waitFor();
  const { page: again } = await open("desktop");
  await again.goto(reset);
  await heading(again, "This link no longer works");
  expect(complaints).toEqual([]);
});
