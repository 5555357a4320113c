import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { generate, results, specimen } from "./support/fixtures.ts";
import { test } from "./support/test.ts";

// What the reading of a document says arrives before the next step opens, with the real server and the real models: nobody is asked for
// their face before they have heard that the document cannot be used.

let call: ReturnType<typeof caller>;

test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });
const told = (page: Page, text: string | RegExp) =>
  page.getByRole("alert").getByText(text).waitFor({ timeout: 60_000 });

const small = ["-width", "1920", "-height", "1440"];

async function begin(page: Page, url: string, kind = "Passport"): Promise<void> {
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, new RegExp(kind));
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

/** A picture whose left and right are exchanged, as by a selfie camera. */
async function mirrored(browser: Browser, picture: string): Promise<string> {
  const to = join(results, "early", "mirrored.jpg");
  const page = await browser.newPage();
  const base64 = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext("2d");
      context?.scale(-1, 1);
      context?.drawImage(image, -canvas.width, 0);
      return canvas.toDataURL("image/jpeg", 0.92).split(",")[1] ?? "";
    },
    `data:image/jpeg;base64,${readFileSync(picture).toString("base64")}`,
  );
  await page.close();
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, Buffer.from(base64, "base64"));
  return to;
}

/** A picture of a table with nothing on it. */
function table(): string {
  const to = join(results, "early", "table.mjpeg"); // its only frame is a JPEG picture
  const picture = to.replace("mjpeg", "jpg");
  if (existsSync(picture)) return picture;
  mkdirSync(dirname(to), { recursive: true });
  generate("-film", to, "-show", "nothing", "-seed", "5");
  const film = readFileSync(to);
  writeFileSync(picture, film.subarray(0, film.indexOf(Buffer.from([0xff, 0xd9])) + 2));
  return picture;
}

test.describe("before the next step opens", () => {
  test("an expired passport is refused once, with its date, and another document goes on", async ({ open }) => {
    const session = await call("POST", "/v1/sessions", {
      external_reference: "early-expired",
      workflow: "no_liveness",
    });
    const { page, complaints } = await open();
    await begin(page, session.url);
    await send(page, specimen("passport", 3, "-face", "alder", "-expired", ...small).front);
    await told(page, /This document expired on .*\d{4}/);
    await told(page, "Use another document that is still valid.");
    await heading(page, "Which document will you use?");
    expect(await violations(page)).toEqual([]);
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.last_problem?.code]).toEqual(["capturing", "document.expired"]);
    await press(page, /Passport/);
    await send(page, specimen("passport", 3, "-face", "alder", ...small).front);
    await heading(page, /photo of your face/);
    expect(complaints).toEqual([]);
  });

  test("a card where a passport was chosen is asked about, and going on asks for its back", async ({ open }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "early-kind", workflow: "no_liveness" });
    const { page, complaints } = await open();
    await begin(page, session.url);
    await send(page, specimen("id_card", 4, "-face", "alder", ...small).front);
    await heading(page, "This looks like an identity card. Continue with it?");
    await page.getByText("You chose: Passport").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload(); // the question stays
    await press(page, "Continue with it");
    await heading(page, "Now the back of your identity card");
    expect(complaints).toEqual([]);
  });

  test("an empty table is no passport", { tag: "@nightly" }, async ({ open }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "early-table", workflow: "no_liveness" });
    const { page } = await open();
    await begin(page, session.url);
    await send(page, table());
    await told(page, "We could not find a document in the picture.");
    await heading(page, /passport's photo page/);
  });

  test("a mirrored passport is told as one", async ({ open, browser }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "early-mirror", workflow: "no_liveness" });
    const { page } = await open();
    await begin(page, session.url);
    await send(page, await mirrored(browser, specimen("passport", 3, "-face", "alder", ...small).front));
    await told(page, "The picture is mirrored.");
    await heading(page, /passport's photo page/);
  });

  test("a face in the place of a document is told as one", { tag: "@nightly" }, async ({ open }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "early-face", workflow: "no_liveness" });
    const { page } = await open();
    await begin(page, session.url);
    await send(page, specimen("passport", 3, "-face", "alder", ...small).selfie);
    await told(page, "This shows a face, not a document.");
    await heading(page, /passport's photo page/);
  });

  test("where live updates are held back the page asks by itself", async ({ open }) => {
    const session = await call("POST", "/v1/sessions", { external_reference: "early-poll", workflow: "no_liveness" });
    const { page } = await open();
    await page.route("**/v1/applicant/events", () => undefined); // an answer that never comes
    await begin(page, session.url);
    await send(page, specimen("passport", 3, "-face", "alder", ...small).front);
    await heading(page, /photo of your face/);
  });
});
