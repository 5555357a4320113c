import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type Browser, type BrowserContext, expect, type FrameLocator, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { launchWhole, sizes } from "./support/browser.ts";
import { pickCountry } from "./support/country.ts";
import { specimen, webRoot } from "./support/fixtures.ts";
import { freePort, type Server } from "./support/server.ts";
import { type Open, test, visited } from "./support/test.ts";

// @bonafide/web on the example's page, with the real server: a shop of another site (127.0.0.1, the server being localhost)
// that the workflow names, and one that it does not. The browser is its own, for it refuses the cookies of other sites.
let browser: Browser;
let shop: Shop;
let stranger: Shop;

type Shop = { url: string; stop: () => void };

async function opened(server: Server, port: number, workflow: string): Promise<Shop> {
  const child: ChildProcess = spawn(process.execPath, [join(webRoot, "sdk", "example", "server.mjs")], {
    env: {
      ...process.env,
      BONAFIDE_URL: server.url,
      BONAFIDE_KEY: server.apiKey,
      WORKFLOW: workflow,
      PERSONA: "approved",
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`the shop ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

/** The owner lets pages of an origin embed a workflow, by the calls that the console makes. */
async function allow(page: Page, origin: string): Promise<void> {
  await page.getByRole("link", { name: "Workflows" }).click();
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("embedded");
  await page.getByRole("button", { name: "Create workflow" }).click();
  await page.getByLabel("Sites that may embed it").fill("https://*.shop.example");
  await page.getByText(/without a path or a star/).waitFor();
  await page.getByLabel("Sites that may embed it").fill(origin);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved.").waitFor();
  await page.getByRole("button", { name: "Publish …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
}

test.beforeAll(async ({ browser: shared, server, owner }) => {
  const [ours, theirs] = [await freePort(), await freePort()];
  browser = await launchWhole("--test-third-party-cookie-phaseout");
  const { page, close } = await visited(shared, { viewport: sizes.desktop, ...(await owner.signedIn()) });
  await page.goto(`${server.url}/console/sessions`);
  await allow(page, `http://127.0.0.1:${ours}`);
  await close();
  [shop, stranger] = await Promise.all([opened(server, ours, "embedded"), opened(server, theirs, "embedded")]);
});

test.afterAll(async () => {
  shop?.stop();
  stranger?.stop();
  await browser?.close();
});

/** A customer's page of a shop. */
async function visit(open: Open, server: Server, at: Shop): Promise<{ page: Page; context: BrowserContext }> {
  const { context, page } = await open("desktop", { from: browser, permissions: [] });
  await context.grantPermissions(["camera"], { origin: server.url });
  await context.grantPermissions(["camera"], { origin: at.url });
  await page.goto(at.url);
  return { page, context };
}

const press = (on: Page | FrameLocator, name: string | RegExp) => on.getByRole("button", { name }).click();
const events = (page: Page) => page.getByRole("listitem").allTextContents();
const patient = { timeout: 60_000 };
const finish = "Finish as the test persona";
const faceStep = "Quick check that it's really you";

async function send(frame: FrameLocator, picture: string): Promise<void> {
  await frame.locator('input[type="file"]').setInputFiles(picture);
  // Not by a click: with the picture the frame grows, and the button is no longer where it was.
  await frame.getByRole("button", { name: "Use this photo" }).press("Enter");
}

test.describe("@bonafide/web on a page of another site", () => {
  test("a frame leads to a verdict: the camera opens in it, events come in order, and the shop's server asks the API", async ({
    open,
    server,
  }) => {
    const { page } = await visit(open, server, shop);
    await press(page, "Check it here");
    const frame = page.frameLocator("iframe");
    await expect.poll(() => events(page), patient).toEqual(["ready"]);
    await frame.getByRole("button", { name: "Start" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("IFRAME");
    await expect(frame.locator("h1")).toBeFocused();
    const { cookie } = await frame.locator("body").evaluate((body) => {
      body.ownerDocument.cookie = "a=b";
      return { cookie: body.ownerDocument.cookie };
    });
    expect(cookie).toBe(""); // third-party cookies are really blocked
    expect(await violations(page)).toEqual([]);

    await press(frame, "Start");
    await press(frame, "I agree");
    await pickCountry(frame);
    await press(frame, /Passport/);
    await press(frame, "Open the camera");
    await frame.locator("video").evaluate(
      (video) =>
        new Promise<void>((resolve) => {
          if (video instanceof HTMLVideoElement && video.currentTime > 0) resolve();
          else video.addEventListener("timeupdate", () => resolve(), { once: true });
        }),
    );
    await press(frame, "Close the camera");
    await expect
      .poll(() => events(page), patient)
      .toEqual(["ready", "step consent", "step choose", "step document_front"]);
    await press(frame, finish);
    await frame.getByRole("heading", { name: "You are verified" }).waitFor();
    await page.getByText("Our server says: approved.").waitFor();
    const told = await events(page);
    expect(told.filter((event) => event !== "submitted")).toEqual([
      "ready",
      "step consent",
      "step choose",
      "step document_front",
      "result decided",
    ]);
    expect(await page.content()).not.toMatch(/approved\b(?!\.)/); // the verdict came from the shop's server alone

    await press(page, "Close");
    await expect.poll(async () => (await events(page)).at(-1), patient).toBe("closed");
    expect(await page.locator("iframe").count()).toBe(0);
  });

  test("a page that is loaded again goes on where the person was, and the frame before has the check no longer", async ({
    open,
    server,
  }) => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");
    const { page, context } = await visit(open, server, shop);
    await press(page, "Check it here");
    const frame = page.frameLocator("iframe");
    await press(frame, "Start");
    await press(frame, "I agree");
    await pickCountry(frame);
    await press(frame, /Passport/);
    await send(frame, front);
    await frame.getByRole("heading", { name: faceStep }).waitFor(patient);
    const refused = () => {
      try {
        return !localStorage;
      } catch {
        return true;
      }
    };
    expect(await frame.locator("body").evaluate(refused)).toBe(true); // the harder case: a private window

    await page.reload();
    await frame.getByRole("heading", { name: faceStep }).waitFor(patient);
    await expect.poll(() => events(page), patient).toEqual(["ready", "step selfie"]);
    expect(await frame.getByText(/ALDER|ERIKSSON/i).count()).toBe(0);
    expect(await frame.locator("img[src^='blob:']").count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    // The same page in another tab takes the check over; the frame before says so, and takes it back.
    const reference = await page.evaluate(() => sessionStorage.getItem("verification") ?? "");
    const other = await context.newPage();
    await other.addInitScript((kept) => sessionStorage.setItem("verification", kept), reference);
    await other.goto(shop.url);
    const second = other.frameLocator("iframe");
    await second.getByRole("heading", { name: faceStep }).waitFor(patient);
    await press(frame, "Other options");
    await press(frame, /One photo/);
    await frame.getByRole("heading", { name: "This check continues in another tab or browser" }).waitFor(patient);
    await expect.poll(async () => (await events(page)).at(-1), patient).toBe("problem session.continued");
    await other.close();
    await press(frame, "Continue here instead");
    await frame.getByRole("heading", { name: faceStep }).waitFor(patient);

    await press(frame, "Other options");
    await press(frame, /One photo/);
    await frame.getByRole("heading", { name: /photo of your face/ }).waitFor(patient);
    await send(frame, selfie);
    await page.getByText(/Our server says: (approved|in_review)\./).waitFor(patient);
  });

  test("a window does the same, and its end is told", { tag: "@nightly" }, async ({ open, server }) => {
    const { page, context } = await visit(open, server, shop);
    const opened = context.waitForEvent("page");
    await press(page, "In a window");
    const popup = await opened;
    await press(popup, "Start");
    await press(popup, finish);
    await popup.getByRole("heading", { name: "You are verified" }).waitFor();
    await page.getByText("Our server says: approved.").waitFor();
    await popup.close();
    await expect.poll(async () => (await events(page)).at(-1), patient).toBe("closed");
    expect((await events(page)).filter((event) => event !== "submitted")).toEqual([
      "ready",
      "step consent",
      "result decided",
      "closed",
    ]);
  });

  test("where storage is refused in frames, the check goes on without it", { tag: "@nightly" }, async ({
    open,
    server,
  }) => {
    const { page } = await visit(open, server, shop);
    await page.addInitScript(() => {
      if (window.parent === window) return;
      for (const name of ["sessionStorage", "localStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("The operation is insecure.", "SecurityError");
          },
        });
    });
    await page.reload();
    await press(page, "Check it here");
    const frame = page.frameLocator("iframe");
    await press(frame, "Start");
    await press(frame, "I agree");
    await press(frame, finish);
    await page.getByText("Our server says: approved.").waitFor();
  });

  test("messages of other frames, of the page itself, and of other forms are not taken for the person's page", {
    tag: "@nightly",
  }, async ({ open, server }) => {
    const { page } = await visit(open, server, shop);
    await press(page, "Check it here");
    await expect.poll(() => events(page), patient).toEqual(["ready"]);
    // Two more frames: an empty one of the shop's, and one of the right origin that shows another session.
    await page.evaluate(async () => {
      Reflect.set(window, "heard", 0);
      window.addEventListener("message", ({ data }) => {
        if (data.type === "result") Reflect.set(window, "heard", Reflect.get(window, "heard") + 1);
      });
      const { link } = await (await fetch("/verifications", { method: "POST" })).json();
      for (const [name, src] of [
        ["empty", "about:blank"],
        ["other", link],
      ]) {
        const frame = document.createElement("iframe");
        frame.name = name;
        frame.src = src;
        document.body.append(frame);
      }
    });
    await page.frameLocator('iframe[name="other"]').getByRole("button", { name: "Start" }).waitFor();
    const forge = () => window.parent.postMessage({ bonafide: 1, type: "result", state: "decided" }, "*");
    for (const name of ["empty", "other"]) await page.frame({ name })?.evaluate(forge);
    await page.evaluate(forge); // the page's parent is the page
    await expect.poll(() => page.evaluate(() => Reflect.get(window, "heard")), patient).toBe(3);
    expect(await events(page)).toEqual(["ready"]);
  });

  test("a page that the workflow does not name gets nothing: its frame says what to change, and a window of its own says nothing to it", async ({
    open,
    server,
  }) => {
    const { page, context } = await visit(open, server, stranger);
    const logged = page.waitForEvent("console", (message) => message.text().includes("embed_origins"));
    await press(page, "Check it here");
    expect((await logged).text()).toContain(stranger.url);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "This page may not embed the check" }).waitFor();
    await frame.getByText(stranger.url).waitFor();
    expect(await events(page)).toEqual([]);

    // A window, under its own name and under that of the page that is named.
    for (const name of [stranger.url, shop.url]) {
      const opened = context.waitForEvent("page");
      await page.evaluate(async (as) => {
        const heard: unknown[] = [];
        Reflect.set(window, "heard", heard);
        window.addEventListener("message", ({ data }) => heard.push(data));
        const { link } = await (await fetch("/verifications", { method: "POST" })).json();
        window.open(`${link}#host=${encodeURIComponent(as)}`);
      }, name);
      const popup = await opened;
      await press(popup, "Start");
      await press(popup, finish);
      await popup.getByRole("heading", { name: "You are verified" }).waitFor();
      expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
    }
    expect(await events(page)).toEqual([]);
  });
});
