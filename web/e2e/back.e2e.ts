import { cpus, loadavg } from "node:os";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import type { Size } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { agree, openCountries } from "./support/country.ts";
import { framedFace, specimen } from "./support/fixtures.ts";
import { test } from "./support/test.ts";

// The way back from every step, by the page's button and by the browser's, and how many taps the way forward takes. With the real
// server and the real models.
let call: ReturnType<typeof caller>;

test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const small = ["-width", "1920", "-height", "1440"];
const passport = () => specimen("passport", 3, "-face", "alder", ...small);

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });
const country = async (page: Page) => {
  await openCountries(page);
  await page.getByRole("option", { name: "Utopia" }).click();
};

/** Presses what opens the file dialog, and chooses a file in it. */
async function upload(page: Page, name: string, file: string): Promise<void> {
  const dialog = page.waitForEvent("filechooser");
  await page.getByText(name).click();
  await (await dialog).setFiles(file);
}

const ways: [string, (page: Page) => Promise<unknown>][] = [
  ["the page's button", (page) => page.getByRole("button", { name: "Back", exact: true }).click()],
  ["the browser's button", (page) => page.goBack()],
];
const sizes: Size[] = ["phone", "desktop"];
/** By day the way that the history of the browser decides; both ways are in test/back.test.tsx, at each step. */
const byDay: Partial<Record<Size, string>> = { phone: "the browser's button" };

for (const size of sizes)
  for (const [name, back] of ways)
    test(`on a ${size}, ${name} leads back from every step, and the document that was put aside does not count`, {
      tag: byDay[size] === name ? [] : "@nightly",
    }, async ({ open, camera }) => {
      const session = await call("POST", "/v1/sessions", { external_reference: "back", workflow: "no_liveness" });
      const { page, complaints } = await open(size);
      await page.goto(session.url);
      await press(page, "Start");
      await heading(page, /compare your face/);
      const { pathname } = new URL(page.url());
      await page.goBack(); // before the first step there is only the way out
      await heading(page, "Stop the check?");
      await press(page, "Continue the check");
      if (size === "desktop") {
        await press(page, "I agree");
        await heading(page, "Continue on your phone");
        await back(page);
        await heading(page, /compare your face/);
      }
      await agree(page);
      await heading(page, /Which document/);
      await page.getByText("Issued by: United Kingdom").waitFor(); // the browser's language says so
      await back(page);
      await heading(page, /compare your face/);
      await press(page, "I agree"); // on a computer the code for a phone does not come twice
      await openCountries(page);
      await back(page); // closes the list
      await page.getByText("Issued by: United Kingdom").waitFor();
      await country(page);
      await press(page, /Identity card/);
      await heading(page, /front of your identity card/);
      await back(page);
      await heading(page, /Which document/);
      await press(page, /Passport/);
      await heading(page, /photo page/);
      camera.show(passport().selfie); // no document, so that nothing is taken by itself
      await press(page, "Open the camera");
      await heading(page, "Camera picture");
      await page.goBack(); // the camera has a button of its own
      await heading(page, /photo page/);
      if (size === "desktop") {
        await press(page, "Continue on your phone");
        await page.getByRole("img", { name: /QR code/ }).waitFor();
        await back(page);
        await heading(page, /photo page/);
      }
      const { front, selfie } = passport();
      await upload(page, "Choose a photo or PDF instead", front);
      await heading(page, "Can you read every line?");
      await back(page);
      await heading(page, /photo page/);
      await page.route("**/steps/document_front", () => undefined); // on its way, until the person goes back
      await upload(page, "Choose a photo or PDF instead", front);
      await press(page, "Use this photo");
      await heading(page, "Sending your photo");
      await back(page);
      await heading(page, /photo page/);
      await page.unroute("**/steps/document_front");
      await upload(page, "Choose a photo or PDF instead", front);
      await press(page, "Use this photo");
      await heading(page, /photo of your face/);
      await back(page);
      await heading(page, "Use another document?");
      expect(await violations(page)).toEqual([]);
      await back(page);
      await heading(page, /photo of your face/);
      await page.reload();
      await heading(page, /photo of your face/);
      await back(page);
      await press(page, "Use another document");
      await country(page); // the reload forgot it
      await press(page, /Passport/);
      await page.goForward().catch(() => null); // leads nowhere
      await heading(page, /photo page/);
      expect(new URL(page.url()).pathname).toBe(pathname);
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Stop the check" }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await upload(page, "Choose a photo or PDF instead", front);
      await press(page, "Use this photo");
      await heading(page, /photo of your face/);
      await upload(page, "Use a photo you take now", selfie);
      await press(page, "Use this photo");
      await heading(page, "You are verified");
      expect(complaints).toEqual([]);
      expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("approved");
    });

/** Counts what the person presses, as the page hears of it. */
async function counted(page: Page): Promise<() => Promise<number>> {
  await page.exposeFunction("tapped", () => taps++);
  let taps = 0;
  await page.addInitScript(() => {
    addEventListener("pointerdown", () => Reflect.get(window, "tapped")(), true);
  });
  return async () => taps;
}

/** How long the way by camera with a challenge may take, in milliseconds, on a machine that has nothing else to do. */
const asked = 20_000;
/** What a run for the docs is held to, and any other: twice the time, for other tests may be running, and more where more is waiting. */
const held = () => (process.env.UPDATE_DOCS ? asked : asked * Math.max(2, (loadavg()[0] ?? 0) / cpus().length));

type Leg = { screen: string; at: number };

/** Notes when each screen appeared, in milliseconds since the first tap, as the page itself sees it. */
async function timed(page: Page): Promise<() => Promise<Leg[]>> {
  await page.addInitScript(() => {
    const legs: { screen: string; at: number }[] = [];
    Reflect.set(window, "legs", legs);
    let began = 0;
    addEventListener("pointerdown", () => (began ||= performance.now()), true);
    const look = () => {
      const screen = document.querySelector("h1")?.textContent ?? "";
      if (began && screen && legs.at(-1)?.screen !== screen) legs.push({ screen, at: performance.now() - began });
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => Reflect.get(window, "legs"));
}

/** A country of the list that the browser's language suggests: Utopia takes the place of the one of British English. */
const british = (page: Page) =>
  page.route("**/v1/applicant/countries", async (route) => {
    const answer = await route.fetch();
    const { items }: { items: { code: string; region: string }[] } = await answer.json();
    const at = (code: string) => (code === "UTO" ? { region: "GB" } : {});
    const rest = items.filter(({ region }) => region !== "GB");
    await route.fulfill({ json: { items: rest.map((one) => ({ ...one, ...at(one.code) })) } });
  });

test.describe("from Start to sent, a passport takes at most eight taps", () => {
  test("by upload", async ({ open }) => {
    const { url } = await call("POST", "/v1/sessions", { external_reference: "taps-upload", workflow: "no_liveness" });
    const { page } = await open();
    const taps = await counted(page);
    await british(page);
    await page.goto(url);
    await press(page, "Start");
    await agree(page);
    await page.getByText("Issued by: United Kingdom").waitFor(); // what the browser calls its region
    await press(page, /Passport/);
    await upload(page, "Choose a photo or PDF instead", passport().front);
    await press(page, "Use this photo");
    await heading(page, /photo of your face/);
    await upload(page, "Use a photo you take now", passport().selfie);
    await press(page, "Use this photo");
    await heading(page, /checking your photos|verified/);
    expect(await taps()).toBeGreaterThanOrEqual(6); // it counts
    expect(await taps()).toBeLessThanOrEqual(7);
  });

  test("by camera, with a challenge", { tag: "@nightly" }, async ({ open, camera }) => {
    const { url } = await call("POST", "/v1/sessions", { external_reference: "taps-camera" });
    const { page } = await open("phone", { locale: "eo" }); // a language of no country
    const taps = await counted(page);
    const legs = await timed(page);
    const { front } = passport();
    await page.goto(url);
    await press(page, "Start");
    await agree(page);
    await page.getByRole("option", { name: "Utopia" }).click(); // no country is preset, so the list is open
    await press(page, /Passport/);
    camera.show(front);
    await press(page, "Open the camera");
    await press(page, "Use this photo");
    await heading(page, /really you/);
    camera.show(framedFace());
    await press(page, "Open the camera");
    await press(page, "I am ready");
    const sent = /checking your photos|Someone is reviewing|We couldn't verify/;
    await heading(page, sent);
    expect(await taps()).toBeGreaterThanOrEqual(6);
    expect(await taps()).toBeLessThanOrEqual(8);
    const all = await legs();
    const took = all.find(({ screen }) => sent.test(screen))?.at ?? Number.NaN;
    const way = all.map(({ screen, at }) => `${Math.round(at)} ms ${screen}`).join("\n");
    test.info().annotations.push({ type: "from Start to sent", description: way });
    expect(took, way).toBeLessThanOrEqual(held());
  });
});
