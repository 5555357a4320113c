import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CDPSession, expect, type Page } from "@playwright/test";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { results, specimen } from "./support/fixtures.ts";
import { setUp } from "./support/owner.ts";
import { Receiver, verdict } from "./support/receiver.ts";
import { binary, type Server, serve } from "./support/server.ts";
import { type Open, test } from "./support/test.ts";

// One deployment from its first minute to the erasing of its first session, as one story with the real server, the real
// models, a receiver of webhooks and the command that verifies proofs. Things are found by role and label only. The server is
// its own, for it begins with its setup.
const folder = join(results, "whole");

let server: Server;
let receiver: Receiver;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  server = await serve();
  receiver = await Receiver.open();
});

test.afterAll(async () => {
  await server?.stop();
  receiver?.close();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 90_000 });

/** The owner's account, by a passkey that the browser's own authenticator makes. */
async function begin(page: Page, device: CDPSession): Promise<void> {
  await device.send("WebAuthn.enable", { enableUI: false });
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await setUp(page, server.setupLink);
  await press(page, "Add a passkey");
  await page.getByLabel("Name", { exact: true }).fill("Work laptop");
  await press(page, "Create passkey");
  await heading(page, "Your recovery codes");
  await press(page, "I have saved them");
}

/** A workflow with a rule of its own, published. */
async function makeWorkflow(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Workflows" }).click();
  await press(page, "New workflow");
  await page.getByRole("dialog").getByLabel("Name").fill("accounts");
  await press(page, "Create workflow");
  await press(page, "Add rule");
  await page.getByLabel("Name", { exact: true }).fill("papers of Utopia");
  await page.getByLabel("When").fill('document.country == "UTO"');
  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
}

async function makeEndpoint(page: Page): Promise<string> {
  await page.goto(`${server.url}/console/developers/webhooks`);
  await press(page, "New endpoint");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
  return dialog.getByLabel("Signing secret").inputValue();
}

async function makeKey(page: Page): Promise<string> {
  await page.goto(`${server.url}/console/developers/keys`);
  await press(page, "New key");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByRole("button", { name: "Create key" }).click();
  return dialog.getByLabel("API key").inputValue();
}

/** The applicant, who cannot turn the head, and so is sent to a person. */
async function applicant(open: Open, url: string): Promise<{ person: Page; leave: () => Promise<void> }> {
  const { page: person, close } = await open();
  const { front, selfie } = specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");
  const send = async (picture: string) => {
    await person.locator('input[type="file"]').setInputFiles(picture);
    await press(person, "Use this photo");
  };
  await person.goto(url);
  await press(person, "Start");
  await press(person, "I agree");
  await pickCountry(person);
  await person.getByRole("button", { name: /Passport/ }).click();
  await send(front);
  await press(person, "Other options");
  await press(person, /One photo/);
  await heading(person, /photo of your face/);
  await send(selfie);
  await heading(person, "Someone is reviewing your documents");
  return { person, leave: close };
}

/** The proof of the newest entry that says this, checked in the browser and by the command. */
async function proveEntry(page: Page, what: string): Promise<void> {
  await page.goto(`${server.url}/console/settings/audit`);
  const opener = page.getByRole("button", { name: new RegExp(`^Proof of ${what}, position \\d+`) }).first();
  const appears = async () => {
    await page.reload(); // entries are signed in batches
    await page.getByRole("table", { name: /Audit entries/ }).waitFor();
    return opener.count();
  };
  await expect.poll(appears, { timeout: 60_000 }).toBeGreaterThan(0);
  await opener.click();
  await page.getByText("Verified in this browser: the entry is in the log").waitFor();
  await page.getByRole("status").getByText("Signature verified in this browser").waitFor();
  const saved = page.waitForEvent("download");
  await press(page, "Download the proof");
  const proof = join(folder, "proof.json");
  await (await saved).saveAs(proof);
  const kept = join(folder, "checkpoint.json");
  writeFileSync(kept, JSON.stringify(JSON.parse(readFileSync(proof, "utf8")).checkpoint));
  const run = spawnSync(binary, ["audit", "verify", proof, "--key", `@${kept}`], { encoding: "utf8" });
  expect(run.status, run.stdout + run.stderr).toBe(0);
}

test("a deployment from its setup to the erasing of its first session", async ({ open }) => {
  test.setTimeout(300_000);
  const { context, page, complaints } = await open("desktop");
  await begin(page, await context.newCDPSession(page));
  await makeWorkflow(page);
  const secret = await makeEndpoint(page);
  const key = await makeKey(page);

  const call = caller(() => ({ url: server.url, apiKey: key }));
  const session = await call("POST", "/v1/sessions", { external_reference: "account-4711", workflow: "accounts" });
  expect(session.workflow).toMatchObject({ name: "accounts", number: 1 });
  const { person, leave } = await applicant(open, session.url);
  expect(await call("GET", `/v1/sessions/${session.id}`)).toMatchObject({ state: "in_review" });

  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: /account-4711/ }).click();
  await page.getByText("papers of Utopia").first().waitFor();
  await page.keyboard.press("c");
  await page.getByText("Assigned to you until").waitFor();
  await page.keyboard.press("a");
  await page.getByText("You approved this case.").waitFor({ timeout: 20_000 });
  await heading(person, "You are verified");
  await leave();

  const told = await receiver.first("session.approved");
  expect(verdict(told, secret)).toBe("genuine");
  expect(verdict({ ...told, body: told.body.replace("approved", "declined") }, secret)).toBe("refused");
  expect(told.body).toContain(session.id);

  await proveEntry(page, "Approved");

  await page.goto(`${server.url}/console/sessions/${session.id}`);
  await press(page, "Erase …");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("account-4711");
  await dialog.getByRole("button", { name: "Erase permanently" }).click();
  await page
    .getByText(/^All personal data was erased/)
    .first()
    .waitFor();
  await receiver.first("session.erased");
  expect(
    await (
      await fetch(`${server.url}/v1/sessions/${session.id}/report`, { headers: { Authorization: `Bearer ${key}` } })
    ).text(),
  ).not.toContain("ERIKSSON");
  await proveEntry(page, "Session erased");
  expect(complaints).toEqual([]);
});
