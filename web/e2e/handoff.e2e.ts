import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violations } from "./support/axe.ts";
import { launch, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { fakeCamera, repoRoot, results, specimen } from "./support/fixtures.ts";
import { type Server, serve } from "./support/server.ts";

// A computer and a phone with the real server: what the code holds, who has the session, and what each screen says.
const camera = fakeCamera("handoff");
const folder = join(results, "handoff");
const small = ["-width", "1920", "-height", "1440"];

let server: Server;
let browser: Browser;
let pictures: { front: string; selfie: string };

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  pictures = specimen("passport", 3, "-face", "alder", ...small);
  camera.show(pictures.front);
  [server, browser] = await Promise.all([serve(), launch(camera.path)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const call = caller(() => server);
const create = (reference: string) =>
  call("POST", "/v1/sessions", {
    external_reference: reference,
    workflow: "no_liveness",
    return_url: "https://bank.example/after",
  });

type Device = { context: BrowserContext; page: Page; complaints: string[] };

/** A browser of its own, with its own storage: a phone or a computer. */
async function device(size: keyof typeof sizes): Promise<Device> {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: "en-GB",
    reducedMotion: "reduce",
    permissions: ["camera"],
    ...(size === "phone"
      ? { userAgent: "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36" }
      : {}),
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** A person with both; when something fails, what they saw is kept. */
async function withBoth(name: string, part: (desk: Page, phone: Device) => Promise<void>): Promise<void> {
  const [desk, phone] = await Promise.all([device("desktop"), device("phone")]);
  try {
    await part(desk.page, phone);
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
  } catch (error) {
    await desk.page.screenshot({ path: join(folder, `FAILED-${name}-desktop.png`) });
    await phone.page.screenshot({ path: join(folder, `FAILED-${name}-phone.png`) });
    throw error;
  } finally {
    await Promise.all([desk.context.close(), phone.context.close()]);
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp, timeout = 60_000) =>
  page.getByRole("heading", { name }).waitFor({ timeout });
const seen = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`) });

/** From the link to the choice of the document, on the computer. */
async function begin(desk: Page, url: string): Promise<void> {
  await desk.goto(url);
  await press(desk, "Start");
  await press(desk, "I agree");
  await pickCountry(desk);
  await heading(desk, /Which document/);
}

/** What a phone's camera makes of the code on the screen: read from a picture of the page, by the repository's reader. */
async function readCode(desk: Page, name: string): Promise<string> {
  const path = join(folder, `${name}.png`);
  await desk.getByRole("img", { name: /QR code/ }).waitFor();
  await desk.screenshot({ path });
  return execFileSync("go", ["run", "./e2e/readcode", path], { cwd: repoRoot, encoding: "utf8" }).trim();
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this picture");
}

/** Holds a document or a face before the camera, which takes it by itself, and sends it. */
async function hold(page: Page, picture: string): Promise<void> {
  camera.show(picture);
  await press(page, /[Cc]amera/);
  await press(page, "Use this picture");
}

describe("from the computer to the phone", () => {
  it("the phone reads the code, takes over, finishes, and the computer says so and goes on", async () => {
    const session = await create("by-phone");
    await withBoth("whole", async (desk, { page: phone, context }) => {
      await begin(desk, session.url);
      await press(desk, /^Passport/);
      await heading(desk, /photo page of your passport/);
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
      await heading(phone, /photo page of your passport/);

      await heading(desk, "Your phone is connected");
      await desk.getByRole("status").getByText("Step 3 of 4").waitFor();
      expect(await violations(desk)).toEqual([]);
      await seen(desk, "desktop-watching");
      await hold(phone, pictures.front);
      await heading(phone, /picture of your face/);
      await desk.getByRole("status").getByText("Step 4 of 4").waitFor();

      // Closed and opened again, also by the same code in a new tab: the phone goes on where it was.
      const again = await context.newPage();
      await phone.close();
      await again.goto(link);
      await heading(again, "Go on where you left off");
      await press(again, "Go on");
      await heading(again, /picture of your face/);
      await desk.reload();
      await heading(desk, "Your phone is connected");

      await hold(again, pictures.selfie);
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
    });
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("approved");
  });

  it("with the keyboard: the code is made, taken back, and the computer goes on", async () => {
    const session = await create("taken-back");
    await withBoth("keyboard", async (desk, { page: phone }) => {
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
      await focused("Go on here instead");
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
    });
  });

  it("the phone goes back to the computer, a second phone comes too late, and offline is waited out", async () => {
    const session = await create("handed-back");
    await withBoth("back", async (desk, { page: phone }) => {
      await begin(desk, session.url);
      await press(desk, /^Passport/);
      await heading(desk, /photo page of your passport/); // the page before has the same button
      await press(desk, "Continue on your phone");
      const link = await readCode(desk, "desktop-offline");
      await desk.context().setOffline(true);
      await phone.goto(link);
      await press(phone, "Continue here");
      await heading(phone, /photo page of your passport/);
      await desk.context().setOffline(false);
      await heading(desk, "Your phone is connected");

      const late = await device("phone");
      await late.page.goto(link);
      await heading(late.page, "This code was already used");
      await late.context.close();

      await send(phone, pictures.front);
      await heading(phone, /picture of your face/);
      await press(phone, "Go back to the other device");
      await heading(phone, "Continue on the other device");
      await heading(desk, /picture of your face/);
      await send(desk, pictures.selfie);
      await heading(desk, "You are verified", 120_000);
    });
  });

  it("a computer without a camera offers the phone first", async () => {
    const session = await create("no-camera");
    await withBoth("no-camera", async (desk) => {
      await desk.addInitScript(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
      });
      await begin(desk, session.url);
      await press(desk, /^Passport/);
      await press(desk, "Open the camera");
      await heading(desk, "No camera was found");
      await press(desk, "Continue on your phone");
      expect(await readCode(desk, "desktop-no-camera")).toContain("/v/");
    });
  });
});
