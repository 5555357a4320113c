import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly } from "./support/browser.ts";
import { results } from "./support/fixtures.ts";
import { setUp } from "./support/owner.ts";
import { binary, freePort, type Server, start } from "./support/server.ts";
import { test } from "./support/test.ts";

// An operator's first morning as the install page tells it, without --dev: the server says what it lacks, a master key is made, the
// database is migrated, the doctor is asked, the first account is set up, and the first live link opens on a phone.
const folder = join(results, "operator");

test.use({ reel: "operator" });

let data: string;
let server: Server | undefined;

test.beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "bonafide-e2e-"));
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});

function bonafide(...args: string[]): { status: number | null; said: string } {
  const run = spawnSync(binary, args, { encoding: "utf8", cwd: data });
  return { status: run.status, said: run.stdout + run.stderr };
}

async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`) });
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

/** A master key, which is made because the server asked for it. */
function key(): string {
  const bare = bonafide("serve", "--listen", "127.0.0.1:0");
  expect(bare.status).not.toBe(0);
  for (const flag of ["--database", "--blobs", "--master-key", "--public-url"])
    expect(bare.said).toContain(`${flag} is missing`);
  expect(bare.said).toContain("bonafide master-key FILE makes one");

  const made = bonafide("master-key", "master.key");
  expect(made, made.said).toMatchObject({ status: 0 });
  expect(made.said).toContain("Copy the key to a second place");
  expect(statSync(join(data, "master.key")).mode & 0o077, "others may not read the key").toBe(0);
  expect(bonafide("master-key", "master.key").status, "a key is not written over").not.toBe(0);
  return `file:${join(data, "master.key")}`;
}

/** A server whose settings were checked, started on a database that was migrated. */
async function begin(): Promise<Server> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = ["--database", `sqlite:${join(data, "bonafide.db")}`, "--blobs", `file://${join(data, "blobs")}`];
  settings.push("--master-key", key());
  const early = bonafide("serve", ...settings, "--public-url", url, "--listen", `127.0.0.1:${port}`);
  expect(early.status).not.toBe(0);
  expect(early.said).toContain("run bonafide migrate");
  const migrated = bonafide("migrate", ...settings);
  expect(migrated, migrated.said).toMatchObject({ status: 0 });
  const doctor = bonafide("doctor", ...settings, "--public-url", url);
  expect(doctor, doctor.said).toMatchObject({ status: 0 });
  expect(doctor.said).toContain("it is stored beside the data");
  const serving = ["--public-url", url, "--listen", `127.0.0.1:${port}`, "--admin-listen", "127.0.0.1:0"];
  return start(url, [...settings, ...serving, "--brand", "Harbour Bank"]);
}

/** A template's workflow, published for live sessions. */
async function publish(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/workflows`);
  await press(page, "New workflow");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("account_opening");
  await dialog.getByRole("button", { name: "Create workflow" }).click();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
}

test("from an empty directory to the first live link", async ({ open }) => {
  test.setTimeout(180_000);
  server = await begin();
  const { url } = server;
  expect(server.apiKey, "only --dev prints a key").toBe("");

  const { page, complaints } = await open("desktop");
  await setUp(page, server.setupLink);
  await page.getByRole("link", { name: /Review queue/ }).waitFor();
  await page.goto(`${url}/console`);
  await page.getByText(/of 5 done/).waitFor();
  await page.getByText("Backup: none has been made yet").waitFor();
  const last = await page.getByRole("button", { name: "Sign out" }).boundingBox();
  expect((last?.y ?? Infinity) + (last?.height ?? 0), "an owner's side bar fits a laptop").toBeLessThanOrEqual(900);
  expect(await violations(page)).toEqual([]);
  await shot(page, "1-first-steps");
  await publish(page, url);
  await shot(page, "2-workflow");

  await page.goto(`${url}/console/sessions?mode=live`);
  await press(page, "New live link");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your reference").fill("customer-1");
  await dialog.getByRole("button", { name: "Create session" }).click();
  const link = await dialog.getByLabel("Link for the applicant").inputValue();
  expect(link).toContain(`${url}/v/`);
  expect(await violations(page)).toEqual([]);
  await shot(page, "3-live-link");

  const phone = await open("phone");
  await phone.page.goto(link);
  await phone.page.getByRole("heading", { name: "Verify your identity for Harbour Bank" }).waitFor();
  expect(await phone.page.getByText("Test mode").count(), "a live link is no test").toBe(0);
  await press(phone.page, "Start");
  await phone.page.getByRole("button", { name: "I agree" }).waitFor();
  await shot(phone.page, "4-phone");

  await page.goto(`${url}/console/sessions?mode=live`);
  await page.getByRole("link", { name: /customer-1/ }).waitFor();
  await page.goto(`${url}/console`);
  await page.getByText("2 of 5 done").waitFor();
  await shot(page, "5-afterwards");
  expect([...complaints, ...phone.complaints]).toEqual([]);
  // What is printed into logs that others keep says nothing about the person's link.
  expect(server.log()).not.toContain(link.split("/v/")[1]);
});
