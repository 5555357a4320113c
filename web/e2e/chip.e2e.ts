import { expect, type Page } from "@playwright/test";
import type { WorkflowSpec } from "../src/api/wire.ts";
import { violations } from "./support/axe.ts";
import { sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { provenOffline } from "./support/casefile.ts";
import { playChip, relay, slowly, tokenOf, zonedPassport } from "./support/chip.ts";
import { pickCountry } from "./support/country.ts";
import { heading, press } from "./support/filming.ts";
import { test, visited } from "./support/test.ts";
import { publishWorkflow } from "./support/workflow.ts";

// The chip of a document, with the real server and models: an app reads it over a relay while the page says how far it is, and what the
// chip says is compared with the page and with the face.
let call: ReturnType<typeof caller>;

test.beforeAll(async ({ browser, server, owner }) => {
  const { page, close } = await visited(browser, { viewport: sizes.desktop, ...(await owner.signedIn()) });
  await page.goto(`${server.url}/console/sessions`);
  const checks = ["chip.authentic", "chip.copy", "chip.revocation", "chip.zone"];
  await publishWorkflow(page, "chip", { chip: "required" }, checks);
  const differs = {
    name: "another chip",
    when: "chip.present && !chip.like_the_page",
    // biome-ignore lint/suspicious/noThenProperty: a rule of a workflow is called so
    then: "declined",
    reasons: ["chip.zone_differs"],
  } satisfies WorkflowSpec["rules"][number];
  await publishWorkflow(page, "chip_strict", { chip: "required", rules: [differs] }, checks);
  await close();
});
test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const send = async (page: Page, picture: string) => {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
};

/** From the link to the chip's page: the passport's page was photographed. */
async function photographed(page: Page, workflow: string): Promise<string> {
  const { id, url } = await call("POST", "/v1/sessions", { workflow });
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, /Passport/);
  await heading(page, /photo page/);
  await send(page, zonedPassport().front);
  await heading(page, "Read the chip of your document");
  return id;
}

test("an app reads the chip over a relay, the page says how far it is, and the face is compared with the chip's", async ({
  open,
  server,
  owner,
}) => {
  const { page, complaints } = await open("phone");
  const token = tokenOf(page);
  const id = await photographed(page, "chip");
  await expect(page.getByRole("status").filter({ hasText: "Waiting for the app" })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const chip = await playChip(zonedPassport().zone);
  const reader = await slowly(chip.port, 40);
  const app = relay(server, token(), reader.port);
  await page.getByRole("progressbar", { name: "Reading the chip" }).waitFor();
  expect(await violations(page)).toEqual([]);
  const { code, said } = await app;
  reader.stop();
  chip.stop();
  expect(code, said).toBe(0);

  await heading(page, /photo of your face/); // by itself
  await send(page, zonedPassport().selfie);
  await heading(page, "You are verified");
  const { report } = await call("GET", `/v1/sessions/${id}/report`);
  expect(report?.claims.filter(({ name }) => name === "family_name").map(({ value }) => value)).not.toEqual([]);
  expect(JSON.stringify(report)).toContain('"chip"');
  expect(complaints).toEqual([]);

  const desk = await open("desktop", await owner.signedIn());
  expect(await provenOffline(desk.page, server, id)).toContain("YES");
});

for (const [workflow, ends, state] of [
  ["chip", "Someone is reviewing your documents", "in_review"],
  ["chip_strict", /couldn't verify/, "declined"],
] as const)
  test(`a chip of another name than the page's: ${workflow} is ${state}`, {
    tag: state === "declined" ? [] : "@nightly",
  }, async ({ open }) => {
    const { page } = await open("phone");
    const id = await photographed(page, workflow);
    await press(page, "Use the test chip");
    expect(await violations(page)).toEqual([]);
    await press(page, "Send one of another name");
    await heading(page, /photo of your face/);
    await send(page, zonedPassport().selfie);
    await heading(page, ends);
    expect(await call("GET", `/v1/sessions/${id}`)).toMatchObject({ state });
    const { decisions } = await call("GET", `/v1/sessions/${id}/report`);
    expect(JSON.stringify(decisions)).toContain(state === "declined" ? "another chip" : "chip.zone_differs");
  });

test("a chip with another face than the one before the camera is not approved", { tag: "@nightly" }, async ({
  open,
}) => {
  const { page } = await open("phone");
  const id = await photographed(page, "chip");
  await press(page, "Use the test chip");
  await press(page, "Send one with another face");
  await heading(page, /photo of your face/);
  await send(page, zonedPassport().selfie);
  await page.getByRole("alert").waitFor({ timeout: 60_000 });
  expect(await call("GET", `/v1/sessions/${id}`)).toMatchObject({ last_problem: { code: "face.mismatch" } });
});

test("who has no app goes on without the chip, and a person decides", async ({ open }) => {
  const { page } = await open("phone");
  const id = await photographed(page, "chip");
  await expect(page.getByText("Without the chip, someone reviews your document")).toBeVisible();
  await press(page, "Back"); // is no way past it
  await heading(page, "Use another document?");
  await press(page, "Back");
  await press(page, "Go on without the chip");
  await heading(page, /photo of your face/);
  await send(page, zonedPassport().selfie);
  await heading(page, "Someone is reviewing your documents");
  const { decisions } = await call("GET", `/v1/sessions/${id}/report`);
  expect(decisions?.[0]?.reasons).toMatchObject([{ code: "chip.missing" }]);
});
