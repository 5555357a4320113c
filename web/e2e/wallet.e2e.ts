import { type CDPSession, expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { test, visited } from "./support/test.ts";
import { publishWorkflow } from "./support/workflow.ts";

// A wallet that the browser asks, with the real server and Chromium's virtual wallet.
let call: ReturnType<typeof caller>;

test.beforeAll(async ({ browser, server, owner }) => {
  const { page, close } = await visited(browser, { viewport: sizes.desktop, ...(await owner.signedIn()) });
  await page.goto(`${server.url}/console/sessions`);
  await publishWorkflow(page, "wallet", { wallet: "offered", wallet_asks: ["pid", "mdl"], wallet_instead: true }, [
    "wallet.valid",
    "wallet.holder",
    "wallet.revocation",
  ]);
  await close();
});
test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

/** What the virtual wallet does from now on. The protocol's types do not know it yet. */
const wallet = (cdp: CDPSession, behaviour: Record<string, unknown>): Promise<unknown> =>
  Reflect.apply(cdp.send, cdp, ["DigitalCredentials.setVirtualWalletBehavior", behaviour]);

test("V28 a wallet that declines, one that answers something else, one that waits, and photos after all", async ({
  open,
}) => {
  const { url } = await call("POST", "/v1/sessions", { workflow: "wallet" });
  const { page } = await open("phone");
  const cdp = await page.context().newCDPSession(page);
  await wallet(cdp, { action: "decline" });
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await page.getByRole("heading", { name: "Use your digital wallet" }).waitFor();
  expect(await violations(page)).toEqual([]);

  await press(page, "Open my wallet");
  await expect(page.getByRole("alert")).toContainText("Your wallet shared nothing.");
  expect(await violations(page)).toEqual([]);

  // Another protocol than was asked for is no answer, and the request is used up.
  await wallet(cdp, { action: "respond", protocol: "org.example.other", response: { token: "anything" } });
  await press(page, "Open my wallet");
  await expect(page.getByRole("alert")).toContainText("Your wallet could not answer.");

  await wallet(cdp, { action: "wait" });
  await press(page, "Open my wallet");
  await expect(page.getByRole("button", { name: "Opening your wallet…" })).toBeVisible();
  await press(page, "Take photos of my document");
  await page.getByRole("heading", { name: "Which document will you use?" }).waitFor();
});

test("a code for a wallet on another device, with its warning", async ({ open }) => {
  const { url } = await call("POST", "/v1/sessions", { workflow: "wallet" });
  const { page } = await open("desktop");
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await press(page, "Use the wallet on my phone");
  await page.getByRole("img", { name: "QR code for your wallet" }).waitFor();
  await expect(page.getByText("Only scan it if you opened this page yourself.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("the test wallet declines, then shares what was revoked, and photos follow", async ({ open }) => {
  const { url } = await call("POST", "/v1/sessions", { workflow: "wallet" });
  const { page } = await open("phone");
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await press(page, "Use the test wallet");
  await page.getByRole("heading", { name: "Test wallet" }).waitFor();
  await expect(page.getByText("urn:eudi:pid:1")).toBeVisible();
  await expect(page.getByText("family_name")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Share nothing" }).press("Enter");
  await expect(page.getByRole("alert")).toContainText("Your wallet shared nothing.");

  await press(page, "Use the test wallet");
  await press(page, "Share one that was revoked");
  await page.getByRole("heading", { name: "Which document will you use?" }).waitFor();
  await expect(page.getByRole("alert")).toContainText("Your wallet's document could not be accepted.");
});
