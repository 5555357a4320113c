import { expect, type Page } from "@playwright/test";
import { caller } from "./support/call.ts";
import { agree, pickCountry } from "./support/country.ts";
import { specimen } from "./support/fixtures.ts";
import { test } from "./support/test.ts";

// A closed tab, another browser and a web view, with the real server. A window shares no storage with any other, as the mail
// program's view shares none with the browser.
let pictures: { front: string; selfie: string };
let call: ReturnType<typeof caller>;

test.beforeAll(() => {
  pictures = specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");
});
test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const create = (reference: string) =>
  call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });
const continued = "This check continues in another tab or browser";

async function begin(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await press(page, "Start");
  await agree(page);
  await pickCountry(page);
  await press(page, /^Passport/);
  await heading(page, /passport's photo page/);
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

for (const size of ["phone", "desktop"] as const) {
  test(`a closed tab continues at once in the same browser, and the earlier one says so (${size})`, {
    tag: size === "phone" ? [] : "@nightly",
  }, async ({ open }) => {
    const session = await create(`closed-${size}`);
    const { context, page: first, complaints } = await open(size);
    await begin(first, session.url);
    await send(first, pictures.front);
    await heading(first, /photo of your face/);
    const second = await context.newPage();
    await second.goto(session.url);
    await heading(second, /photo of your face/);
    expect(await second.getByText(/ERIKSSON|ALDER/i).count()).toBe(0);
    expect(await second.locator("img[src^='blob:']").count()).toBe(0);
    await heading(first, continued);
    await press(first, "Continue here instead");
    await heading(first, /photo of your face/);
    await heading(second, continued);
    await second.close();
    await first.close();
    const third = await context.newPage();
    await third.goto(session.url);
    await heading(third, /photo of your face/);
    await send(third, pictures.selfie);
    await heading(third, "You are verified");
    expect(await third.evaluate(() => localStorage.length)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test(`another browser continues until a picture was sent, and says what to do afterwards (${size})`, {
    tag: size === "phone" ? [] : "@nightly",
  }, async ({ open }) => {
    const session = await create(`another-${size}`);
    const mail = await open(size, {
      userAgent: "Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/140.0 Mobile",
    });
    await mail.page.goto(session.url);
    await heading(mail.page, /Verify your identity/);
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("created"); // looking changes nothing
    await begin(mail.page, session.url);
    const { page } = await open(size);
    await page.goto(session.url);
    await heading(page, "Continue where you left off");
    await press(page, "Continue");
    if (size === "desktop") await press(page, "Continue on this device"); // a computer offers the phone first
    await heading(page, /passport's photo page/);
    await mail.page.reload();
    await heading(mail.page, continued);
    await send(page, pictures.front);
    await heading(page, /photo of your face/);
    await press(mail.page, "Continue here instead");
    await heading(mail.page, "Started in another browser or tab");
    await mail.page.goto(session.url);
    await heading(mail.page, "Started in another browser or tab");
    await mail.page.getByText(/for a new link/).waitFor();
    expect(await mail.page.getByRole("button", { name: /Start|Continue/ }).count()).toBe(0);

    const fresh = await call("POST", `/v1/sessions/${session.id}/link`);
    await mail.page.goto(fresh.url);
    await press(mail.page, "Continue");
    await heading(mail.page, /photo of your face/);
    await page.reload();
    await heading(page, continued);
    expect([...mail.complaints]).toEqual([]);
  });
}
