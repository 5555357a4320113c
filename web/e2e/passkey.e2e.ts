import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, sizes } from "./support/browser.ts";
import { results } from "./support/fixtures.ts";
import { setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";

// Passkeys against the real server, with the authenticator that Chromium pretends to have.
const folder = join(results, "passkey");

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let device: CDPSession;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  [server, browser] = await Promise.all([serve(), launch()]);
  context = await browser.newContext({ viewport: sizes.desktop, locale: "en-GB", reducedMotion: "reduce" });
  page = await context.newPage();
  device = await context.newCDPSession(page);
  await device.send("WebAuthn.enable", { enableUI: false });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();

/** Plugs in a device that verifies its person, or does not. */
const plug = async (isUserVerified: boolean): Promise<string> => {
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
};

async function step(name: string, part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } catch (error) {
    await page.screenshot({ path: join(folder, `FAILED-${name}.png`) });
    throw error;
  }
}

describe("a passkey", () => {
  it("is made at setup, signs in without a name, proves who one is, and is removed", async () => {
    const id = await plug(true);
    await step("setup", async () => {
      await setUp(page, server.setupLink);
      await press("Add a passkey");
      await page.getByLabel("Name", { exact: true }).fill("Work laptop");
      await press("Make it");
      await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
      await press("I have put them away");
      const { credentials } = await device.send("WebAuthn.getCredentials", { authenticatorId: id });
      expect(credentials.map((c) => [c.isResidentCredential, c.rpId])).toEqual([[true, "localhost"]]);
    });
    await step("sign-in", async () => {
      await press("Sign out");
      await page.waitForURL(/\/login|\/console\/sessions/);
      // Where the browser offers passkeys in the field, the one that there is may sign in by itself.
      await page
        .getByRole("button", { name: "Use a passkey" })
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      await page.getByRole("link", { name: /Review queue/ }).waitFor();
      await page.goto(`${server.url}/console/settings/account`);
      await page.getByText("Work laptop").waitFor();
      await page.getByText(/^used/).waitFor();
    });
    await step("wrong-person", async () => {
      await device.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
      await page.goto(`${server.url}/login`);
      await press("Use a passkey");
      await page.waitForTimeout(500);
      expect(new URL(page.url()).pathname).toBe("/login");
      await device.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });
    });
    await step("remove", async () => {
      await page.goto(`${server.url}/console/settings/account`);
      await press("Remove Work laptop");
      await page.getByText("Work laptop").waitFor({ state: "detached" });
      const gone = await page.request.get(`${server.url}/v1/console/me`);
      expect((await gone.json()).passkeys).toEqual([]);
    });
  }, 120_000);
});
