import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { built, results, specimen } from "./support/fixtures.ts";
import { type Open, test, type Visit } from "./support/test.ts";

// A computer and a phone with the real server: what the code holds, who has the session, and what each screen says.
const folder = join(results, "handoff");
const small = ["-width", "1920", "-height", "1440"];

let pictures: { front: string; selfie: string };
let reader: string;
let call: ReturnType<typeof caller>;

test.beforeAll(() => {
  pictures = specimen("passport", 3, "-face", "alder", ...small);
  reader = built("readcode", "./e2e/readcode");
});

test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const create = (reference: string) =>
  call("POST", "/v1/sessions", {
    external_reference: reference,
    workflow: "no_liveness",
    return_url: "https://bank.example/after",
  });

const agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36";
/** A computer and a phone, each with its own storage. */
const both = (open: Open): Promise<[desk: Visit, phone: Visit]> =>
  Promise.all([open("desktop"), open("phone", { userAgent: agent })]);
const pleased = (...visits: Visit[]) => expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp, timeout = 60_000) =>
  page.getByRole("heading", { name }).waitFor({ timeout });
/** A picture to look at. Of what fails there is one by itself. */
async function seen(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** From the link to the choice of the document, on the computer. */
async function begin(desk: Page, url: string): Promise<void> {
  await desk.goto(url);
  await press(desk, "Start");
  await press(desk, "I agree");
  await desk.getByRole("img", { name: /QR code/ }).waitFor(); // it comes first, and by itself
  expect(await violations(desk)).toEqual([]);
  await press(desk, "Continue on this device");
  await pickCountry(desk);
  await heading(desk, /Which document/);
}

/** What a phone's camera makes of the code on the screen: read from a picture of the page, by the repository's reader. */
async function readCode(desk: Page, name: string): Promise<string> {
  const path = join(folder, `${name}.png`);
  await desk.getByRole("img", { name: /QR code/ }).waitFor();
  await desk.screenshot({ path });
  return execFileSync(reader, [path], { encoding: "utf8" }).trim();
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

/** Opens the camera before which something is held, which takes it by itself, and sends it. */
async function hold(page: Page): Promise<void> {
  await press(page, /[Cc]amera/);
  await press(page, "Use this photo");
}

test.describe("from the computer to the phone", () => {
  test("the phone reads the code, takes over, finishes, and the computer says so and goes on", async ({
    open,
    camera,
    server,
  }) => {
    const session = await create("by-phone");
    const [computer, device] = await both(open);
    const { page: desk } = computer;
    const { page: phone, context } = device;
    await begin(desk, session.url);
    await press(desk, /^Passport/);
    await heading(desk, /passport's photo page/);
    await press(desk, "Continue on your phone");
    const link = await readCode(desk, "desktop-code");
    expect(link).toMatch(new RegExp(`^${server.url}/v/[\\w-]{43}$`));
    expect(await violations(desk)).toEqual([]);

    const preview = await fetch(link);
    expect(preview.ok).toBe(true); // a preview looks, and changes nothing
    await phone.goto(link);
    await heading(phone, "Continue on this device");
    expect(await violations(phone)).toEqual([]);
    await seen(phone, "phone-arrival");
    await press(phone, "Continue here");
    await heading(phone, /passport's photo page/);

    await heading(desk, "Your phone is connected");
    await desk.getByRole("status").getByText("Step 3 of 4").waitFor();
    expect(await violations(desk)).toEqual([]);
    await seen(desk, "desktop-watching");
    camera.show(pictures.front);
    await hold(phone);
    await heading(phone, /photo of your face/);
    await desk.getByRole("status").getByText("Step 4 of 4").waitFor();

    // Closed and opened again, also by the same code in a new tab: the phone goes on where it was.
    const again = await context.newPage();
    await phone.close();
    await again.goto(link);
    await heading(again, /photo of your face/);
    await desk.reload();
    await heading(desk, "Your phone is connected");

    camera.show(pictures.selfie);
    await hold(again);
    await heading(desk, /Sent from your phone|You are verified/);
    await heading(desk, "You are verified", 120_000);
    expect(await desk.getByRole("link", { name: /bank\.example/ }).getAttribute("href")).toBe(
      "https://bank.example/after",
    );
    await seen(desk, "desktop-verified");
    await heading(again, "You are verified");
    await again.getByText("Continue on your other device").waitFor();
    expect(await again.getByRole("link", { name: /bank\.example/ }).count()).toBe(0);
    expect(await violations(again)).toEqual([]);
    await seen(again, "phone-verified");
    expect(await again.evaluate(() => localStorage.length)).toBe(0);
    pleased(computer, device);
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("approved");
  });

  test("with the keyboard: the code is made, taken back, and the computer goes on", { tag: "@nightly" }, async ({
    open,
  }) => {
    const session = await create("taken-back");
    const [computer, device] = await both(open);
    const { page: desk } = computer;
    const { page: phone } = device;
    await begin(desk, session.url);
    const focused = async (name: string) => {
      const button = desk.getByRole("button", { name });
      for (let tabs = 0; tabs < 25; tabs++) {
        if (await button.evaluate((element) => element === document.activeElement)) return;
        await desk.keyboard.press("Tab");
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };
    await focused("Continue on your phone");
    await desk.keyboard.press("Enter");
    const link = await readCode(desk, "desktop-keyboard");
    await focused("Continue here instead");
    await desk.keyboard.press("Enter");
    await heading(desk, /Which document/);
    await phone.goto(link);
    await heading(phone, "This code no longer works");

    // The browser's own way back takes it back, too.
    await press(desk, "Continue on your phone");
    const second = await readCode(desk, "desktop-second");
    expect(second).not.toBe(link);
    await desk.goBack();
    await heading(desk, /Which document/);
    await phone.goto(second);
    await heading(phone, "This code no longer works");
    pleased(computer, device);
  });

  test("the phone goes back to the computer, a second phone comes too late, and offline is waited out", {
    tag: "@nightly",
  }, async ({ open }) => {
    const session = await create("handed-back");
    const [computer, device] = await both(open);
    const { page: desk } = computer;
    const { page: phone } = device;
    await begin(desk, session.url);
    await press(desk, /^Passport/);
    await heading(desk, /passport's photo page/); // the page before has the same button
    await press(desk, "Continue on your phone");
    const link = await readCode(desk, "desktop-offline");
    await desk.context().setOffline(true);
    await phone.goto(link);
    await press(phone, "Continue here");
    await heading(phone, /passport's photo page/);
    await desk.context().setOffline(false);
    await heading(desk, "Your phone is connected");

    const late = await open("phone", { userAgent: agent });
    await late.page.goto(link);
    await heading(late.page, "This code was already used");
    await late.close();

    await send(phone, pictures.front);
    await heading(phone, /photo of your face/);
    await press(phone, "Go back to the other device");
    await heading(phone, "Continue on the other device");
    await heading(desk, /photo of your face/);
    await send(desk, pictures.selfie);
    await heading(desk, "You are verified", 120_000);
    pleased(computer, device);
  });

  test("a computer without a camera offers the phone first", { tag: "@nightly" }, async ({ open }) => {
    const session = await create("no-camera");
    const [computer, device] = await both(open);
    const { page: desk } = computer;
    await desk.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
    });
    await begin(desk, session.url);
    await press(desk, /^Passport/);
    await press(desk, "Open the camera");
    await heading(desk, "No camera was found");
    await press(desk, "Continue on your phone");
    expect(await readCode(desk, "desktop-no-camera")).toContain("/v/");
    pleased(computer, device);
  });
});
