import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { results, specimen } from "./support/fixtures.ts";
import { test } from "./support/test.ts";

// A document that is sent as a PDF, with the real server and the real models. The browser itself prints the file.

let call: ReturnType<typeof caller>;

test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });

const small = ["-width", "1920", "-height", "1440"];

/** A PDF on A4, with one picture on each page. */
async function printed(browser: Browser, name: string, ...pictures: string[]): Promise<string> {
  const to = join(results, "pdf", name);
  const page = await browser.newPage();
  const sheets = pictures.map(
    (picture) =>
      `<p style="break-after:page"><img style="width:100%" src="data:image/jpeg;base64,${readFileSync(picture).toString("base64")}"></p>`,
  );
  await page.setContent(sheets.join(""));
  await page.pdf({ path: to, format: "A4" });
  await page.close();
  return to;
}

async function begin(page: Page, url: string, kind: string): Promise<void> {
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, new RegExp(kind));
}

async function choose(page: Page, file: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(file);
  await heading(page, "Send this PDF?");
  expect(await violations(page)).toEqual([]);
  await press(page, "Send this file");
}

test.describe("a document as a PDF", () => {
  test("both sides of a card come out of one file, and the person is approved", { tag: "@nightly" }, async ({
    open,
    browser,
  }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "pdf-card", workflow: "no_liveness" });
    const { page, complaints } = await open();
    const card = specimen("id_card", 4, "-face", "alder", ...small);
    const file = await printed(browser, "card.pdf", card.front, card.back);
    await begin(page, session.url, "Identity card");
    await page.getByText("Choose a photo or PDF instead").waitFor();
    await page.locator('input[type="file"]').setInputFiles(file);
    await heading(page, "Send this PDF?");
    await page.getByText("card.pdf").waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, "Send this file");
    await heading(page, /photo of your face/); // nobody is asked for the back, which is the second page
    await page.locator('input[type="file"]').setInputFiles(card.selfie);
    await press(page, "Use this photo");
    await heading(page, "You are verified");
    expect(complaints).toEqual([]);
    const { report } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(report?.captures?.map(({ step, source }) => [step, source])).toEqual([
      ["document_front", "file"],
      ["document_back", "file"],
      ["selfie", "file"],
    ]);
    expect(JSON.stringify(report)).not.toContain("card.pdf"); // names of files are the person's own
  });

  test("a damaged file is refused with a remedy, costs no try, and a picture goes on", async ({ open }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "pdf-damaged", workflow: "no_liveness" });
    const { page } = await open();
    const to = join(results, "pdf", "damaged.pdf");
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, "%PDF-1.7\nnothing of a file\n");
    await begin(page, session.url, "Passport");
    await choose(page, to);
    await page.getByRole("alert").getByText("This PDF is damaged.").waitFor({ timeout: 60_000 });
    expect(await violations(page)).toEqual([]);
    const passport = specimen("passport", 3, "-face", "alder", ...small);
    await page.locator('input[type="file"]').setInputFiles(passport.front);
    await press(page, "Use this photo");
    await heading(page, /photo of your face/);
    await page.locator('input[type="file"]').setInputFiles(passport.selfie);
    await press(page, "Use this photo");
    await heading(page, "You are verified");
    const { report } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(report?.captures?.map(({ step }) => step)).toEqual(["document_front", "selfie"]);
    expect(JSON.stringify(report)).not.toContain("damaged.pdf"); // names of files are the person's own
  });
});
