import { expect } from "@playwright/test";
import { setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { test } from "./support/test.ts";

// Passkeys against the real server, with the authenticator that Chromium pretends to have. The server is its own, for the
// first passkey is made at its setup.
let server: Server;

test.beforeAll(async () => {
  server = await serve();
});

test.afterAll(async () => {
  await server?.stop();
});

/** Plugs in a device that verifies its person. */
const authenticator = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

test.describe("a passkey", () => {
  test("is made at setup, signs in without a name, proves who one is, and is removed", async ({ open }) => {
    const { context, page } = await open("desktop");
    const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
    const device = await context.newCDPSession(page);
    await device.send("WebAuthn.enable", { enableUI: false });
    const { authenticatorId: id } = await device.send("WebAuthn.addVirtualAuthenticator", { options: authenticator });
    await test.step("setup", async () => {
      await setUp(page, server.setupLink);
      await press("Add a passkey");
      await page.getByLabel("Name", { exact: true }).fill("Work laptop");
      await press("Create passkey");
      await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
      await press("I have saved them");
      const { credentials } = await device.send("WebAuthn.getCredentials", { authenticatorId: id });
      expect(credentials.map((c) => [c.isResidentCredential, c.rpId])).toEqual([[true, "localhost"]]);
    });
    await test.step("sign-in", async () => {
      await press("Sign out");
      await page.waitForURL(/\/login|\/console\/sessions/);
      // Where the browser offers passkeys in the field, the one that there is may sign in by itself, or answer at the same
      // time as the one that the button asks for: then the button is pressed again.
      const inside = page.getByRole("link", { name: /Review queue/ });
      await expect(async () => {
        if (!(await inside.isVisible()))
          await page
            .getByRole("button", { name: "Use a passkey" })
            .click({ timeout: 5_000 })
            .catch(() => undefined);
        await inside.waitFor({ timeout: 10_000 });
      }).toPass();
      await page.goto(`${server.url}/console/settings/account`);
      await page.getByText("Work laptop").waitFor();
      await page.getByText(/^last used/).waitFor();
    });
    await test.step("wrong-person", async () => {
      await device.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
      await page.goto(`${server.url}/login`);
      const use = page.getByRole("button", { name: "Use a passkey" });
      await use.click();
      await expect(use).toBeEnabled(); // the device refused
      expect(new URL(page.url()).pathname).toBe("/login");
      await device.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });
    });
    await test.step("remove", async () => {
      await page.goto(`${server.url}/console/settings/account`);
      await press("Remove Work laptop");
      await press("Remove passkey");
      await page.getByText("Work laptop", { exact: true }).waitFor({ state: "detached" });
      const gone = await page.request.get(`${server.url}/v1/console/me`);
      expect((await gone.json()).passkeys).toEqual([]);
    });
  });
});
