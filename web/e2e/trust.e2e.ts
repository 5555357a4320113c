import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { built, results } from "./support/fixtures.ts";
import { looks as lookAt } from "./support/looks.ts";
import { setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { test } from "./support/test.ts";

// Trust with the real server and real lists: a list is refused before its signer is trusted, its difference is seen before it is
// accepted, an older one is refused, and what replaced it can be undone. Things are found by role and label only.
const files = join(results, "trust-files");
const file = (name: string) => join(files, name);

let server: Server;

test.beforeAll(async () => {
  mkdirSync(files, { recursive: true });
  execFileSync(built("trustfiles", "./e2e/trustfiles"), [files]);
  server = await serve();
});

test.afterAll(async () => {
  await server?.stop();
});

const looks = (page: Page, name: string) => lookAt(page, "trust", name);

/** Opens the dialog and has a file checked. */
async function upload(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Upload …" }).first().click();
  await page.getByLabel("File", { exact: true }).setInputFiles(file(name));
  await page.getByRole("button", { name: "Check file" }).click();
}

test("trust is looked at before it changes, and can be undone", async ({ open }) => {
  const { page } = await open("desktop");
  await setUp(page, server.setupLink);
  await page.getByRole("link", { name: "Trust", exact: true }).click();
  await page.getByRole("heading", { name: "No authorities are trusted yet" }).waitFor();
  await looks(page, "empty");

  await upload(page, "DE_ML_older.ml");
  await page.getByRole("alert").waitFor(); // nobody vouches for its signer
  await page.getByLabel("File", { exact: true }).setInputFiles(file("csca-germany.cer"));
  await page.getByLabel("Source").fill("csca.example, 3 June");
  await looks(page, "upload");
  await page.getByRole("button", { name: "Check file" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("1 added, 0 removed, 0 changed").first().waitFor();
  await page.getByRole("button", { name: "Accept" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Accepted: Authority certificate, Germany.").waitFor();

  await upload(page, "DE_ML_older.ml");
  await page.getByText("4 added, 0 removed, 0 changed").waitFor();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("rowheader", { name: /Norway/ }).waitFor();
  await page.getByText("Norway: no valid authority since").waitFor();
  await page.getByText("Netherlands: the last valid authority expires").waitFor();
  await page.getByText("the list is 150 days old").waitFor();

  await upload(page, "DE_ML_newer.ml");
  const dialog = page.getByRole("dialog", { name: "Review update" });
  await dialog.getByText("1 added, 1 removed, 0 changed").waitFor();
  await looks(page, "difference");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("heading", { name: "Waiting for acceptance" }).waitFor();
  expect(await page.getByRole("rowheader", { name: /^Italy/ }).count()).toBe(0); // it waits
  await looks(page, "waiting");
  await page.getByRole("button", { name: "Review Master list, Germany" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("rowheader", { name: /^Italy/ }).waitFor();

  await upload(page, "germany.crl");
  await page.getByText("This list revokes 2 certificates.").waitFor();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("Germany: the revocation list is good until").waitFor();

  await page.getByRole("button", { name: "Upload …" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(file("pid-ca.pem"));
  await page.getByLabel("What is a certificate trusted for?").selectOption("SD-JWT credentials");
  await page.getByLabel("Credential type (vct)").fill("urn:eudi:pid:1");
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("rowheader", { name: "urn:eudi:pid:1", exact: true }).waitFor();
  await looks(page, "covered");

  await page.getByLabel("Search by country or code").fill("ita");
  await page.getByRole("rowheader", { name: /^France/ }).waitFor({ state: "detached" });
  await page.getByLabel("Search by country or code").fill("");

  await upload(page, "DE_ML_older.ml");
  await page.getByRole("alert").getByText("older than the one in force").waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Why is this not trusted? …" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(file("EF.SOD.italy"));
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByText("Trusted", { exact: true }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Details of Master list, Germany" }).first().click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: Master list, Germany.").waitFor();
  await page.getByRole("rowheader", { name: /^Italy/ }).waitFor({ state: "detached" });
  await page.getByRole("rowheader", { name: /^Norway/ }).waitFor();

  await page.getByRole("button", { name: "Why is this not trusted? …" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(file("EF.SOD.italy"));
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByText("Not trusted", { exact: true }).waitFor();
  await page.getByText("C=IT, CN=CSCA IT with the key").first().waitFor();
  await looks(page, "why");
});
