import { type CDPSession, expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { provenOffline } from "./support/casefile.ts";
import { Filming, heading, passport } from "./support/filming.ts";
import { test, visited } from "./support/test.ts";
import { publishWorkflow } from "./support/workflow.ts";

// A wallet that the browser asks, with the real server and Chromium's virtual wallet.
let call: ReturnType<typeof caller>;

test.beforeAll(async ({ browser, server, owner }) => {
  const { page, close } = await visited(browser, { viewport: sizes.desktop, ...(await owner.signedIn()) });
  await page.goto(`${server.url}/console/sessions`);
  const asks = { wallet: "offered", wallet_asks: ["pid", "mdl"], wallet_instead: true } as const;
  const proved = ["wallet.valid", "wallet.holder", "wallet.revocation"];
  const alive = ["liveness.challenge", "liveness.replay", "liveness.head"];
  await publishWorkflow(page, "wallet", { ...asks, wallet_asks: [...asks.wallet_asks] }, proved);
  await publishWorkflow(page, "wallet_alive", { ...asks, wallet_asks: [...asks.wallet_asks] }, [...proved, ...alive]);
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

test("the test wallet declines, then shares what was revoked, and photos follow", { tag: "@nightly" }, async ({
  open,
}) => {
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
  await expect(page.getByRole("alert")).toContainText("Continue with photos of your document.");
});

test("a wallet and a picture of the face, without a document, are approved, and the case proves itself offline", async ({
  open,
  server,
  owner,
}) => {
  const { id, url } = await call("POST", "/v1/sessions", { workflow: "wallet" });
  const { page, complaints } = await open("phone");
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await press(page, "Use the test wallet");
  await press(page, "Share the credential");
  await heading(page, /photo of your face/);
  await page.locator('input[type="file"]').setInputFiles(passport().selfie);
  await press(page, "Use this photo");
  await heading(page, "You are verified");
  const report = await call("GET", `/v1/sessions/${id}/report`);
  expect(report).toMatchObject({ decisions: [{ outcome: "approved", reasons: [] }] });
  expect(JSON.stringify(report)).not.toContain('"document_front"');
  expect(complaints).toEqual([]);

  const desk = await open("desktop", await owner.signedIn());
  const said = await provenOffline(desk.page, server, id);
  expect(said).toContain("YES");
  expect(said).toContain("holder's key");
});

test.describe("a wallet and a live face, without a document", () => {
  let filming: Filming;
  test.beforeAll(async ({ server }) => {
    filming = await Filming.start("wallet", () => server);
  });
  test.afterAll(() => filming?.close());

  /** From the link to the challenge, with a credential from the test wallet in place of photos. */
  async function presented(page: Page, reference: string, choice: string) {
    const session = await filming.opened(page, reference, "wallet_alive");
    await page.goto(session.url);
    await press(page, "Start");
    await press(page, "I agree");
    await press(page, "Use the test wallet");
    await press(page, choice);
    await heading(page, "Quick check that it's really you");
    return { ...session, challenge: await session.asked() };
  }

  test("whose portrait is the face before the camera is approved, and the case proves itself offline", {
    tag: "@nightly",
  }, async ({ open, server, owner }) => {
    const { page } = await open("phone", { from: filming.browser });
    const { id, challenge } = await presented(page, "alone", "Share the credential");
    filming.film(challenge, "alone");
    await filming.run(page);
    await heading(page, "You are verified");
    const report = await filming.call("GET", `/v1/sessions/${id}/report`);
    expect(report).toMatchObject({ decisions: [{ outcome: "approved", reasons: [] }] });
    expect(JSON.stringify(report)).not.toContain('"document_front"');

    const desk = await open("desktop", await owner.signedIn());
    const said = await provenOffline(desk.page, server, id);
    expect(said).toContain("YES");
    expect(said).toContain("holder's key");
  });

  test("whose portrait is another face is not approved", { tag: "@nightly" }, async ({ open }) => {
    const { page } = await open("phone", { from: filming.browser });
    const { id, challenge } = await presented(page, "other face", "Share it with another face");
    filming.film(challenge, "other-face");
    await filming.run(page);
    await heading(page, /really you/);
    expect(await filming.call("GET", `/v1/sessions/${id}`)).toMatchObject({
      state: "capturing",
      last_problem: { code: "face.mismatch" },
    });
  });
});
