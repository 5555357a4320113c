import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { nightly } from "./support/browser.ts";
import { cropped, pasted } from "./support/crop.ts";
import { Filming, heading, passport } from "./support/filming.ts";
import { repoRoot, specimen } from "./support/fixtures.ts";
import { Seen } from "./support/seen.ts";
import type { Server } from "./support/server.ts";
import { pictured } from "./support/states.ts";
import { type Open, test } from "./support/test.ts";

// What applicants and reviewers see of attacks, in Chromium with a camera that plays films, against the real server and the real
// models: no attack is approved, its applicant is told nothing that teaches, and the reviewer sees which signal and where.
let server: Server;
let filming: Filming;
const sheet = new Seen(join(repoRoot, nightly && process.env.UPDATE_DOCS ? "docs" : "build/e2e", "attacks-seen.webp"));

test.beforeAll(async () => {
  filming = await Filming.start("seen", () => server);
});

test.beforeEach(({ server: shared }) => {
  server = shared;
});

test.afterAll(async () => {
  await filming?.close();
});

const phone = (open: Open): Promise<Page> => open("phone", { from: filming.browser }).then(({ page }) => page);

type Report = {
  checks: {
    kind: string;
    required: boolean;
    finding?: { outcome: string; reasons: { code: string }[]; places?: unknown[] };
  }[];
};

/** What became of a session, and the signals that count and say where they saw something. */
async function ended(id: string): Promise<{ state: string; signals: string[] }> {
  const { state } = await filming.call("GET", `/v1/sessions/${id}`);
  const { report } = (await filming.call("GET", `/v1/sessions/${id}/report`)) satisfies Record<string, unknown>;
  const checks = isReport(report) ? report.checks : [];
  const signals = checks.filter(
    ({ required, finding }) => required && finding && finding.outcome !== "pass" && finding.places?.length,
  );
  return { state: String(state), signals: signals.map(({ kind }) => kind) };
}

const isReport = (value: unknown): value is Report =>
  typeof value === "object" && value !== null && "checks" in value && Array.isArray(value.checks);

/** The reviewer's page of a session: with the frames or the regions behind a signal, where there is one. */
async function reviewed(open: Open, signedIn: Parameters<Open>[1], id: string, shows: string): Promise<Page> {
  const { page } = await open("desktop", signedIn);
  await page.goto(`${server.url}/console/sessions/${id}`);
  await page.getByRole("heading", { name: "Evidence" }).waitFor();
  const tab = page.getByRole("group", { name: "Evidence" }).getByRole("button", { name: shows });
  if ((await tab.count()) > 0) await tab.click();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await pictured(page);
  return page;
}

/** No screen of an applicant says what a signal is about. */
async function untold(page: Page): Promise<void> {
  await heading(page, /try that again|is reviewing your documents|couldn't verify/);
  expect(await page.getByText("You are verified").count()).toBe(0);
  expect(await page.getByText(/flat|photo of|replay|signal|edited|moves? as one|too alike|frames?/i).count()).toBe(0);
}

test("a genuine run is approved, and shows the reviewer its frames and no signal that counts", {
  tag: "@nightly",
}, async ({ open, owner }) => {
  const page = await phone(open);
  const { id, challenge } = await filming.begin(page, "genuine");
  filming.film(challenge, "genuine");
  await filming.run(page);
  await heading(page, /You are verified|try that again|is reviewing your documents/);
  expect(await ended(id)).toEqual({ state: "approved", signals: [] });
  const desk = await reviewed(open, await owner.signedIn(), id, "Selfie");
  await desk.getByRole("list", { name: "Selfie: challenge frames" }).waitFor();
  expect(await desk.getByText("flagged", { exact: true }).count()).toBe(0);
  await sheet.add("a genuine run: approved", page, desk);
  await sheet.write(filming.browser);
});

for (const [what, how] of [
  ["a photograph whose face is pushed as the prompts say", "pushed face"],
  ["a photograph on an ellipsoid", "ellipsoid"],
  ["the document's portrait, held up and turned", "portrait"],
  ["the right person at rest, and another who moves", "others moves"],
] as const)
  test(`${what} is not approved`, { tag: "@nightly" }, async ({ open, owner }) => {
    const page = await phone(open);
    const { id, challenge } = await filming.begin(page, how);
    filming.film(challenge, how.replaceAll(" ", "-"), "-attack", how);
    await filming.run(page);
    await untold(page);
    const { state, signals } = await ended(id);
    expect(["capturing", "in_review", "declined"]).toContain(state);
    const desk = await reviewed(open, await owner.signedIn(), id, "Selfie");
    if (signals.some((kind) => kind.startsWith("liveness.")))
      await desk.getByRole("list", { name: "Signals on this picture" }).waitFor();
    const outcome = state === "capturing" ? "asked again" : state.replace("_", " ");
    console.log(`${what}: ${outcome} ${signals.join(", ")}`);
    await sheet.add(`${what}: ${outcome}`, page, desk);
    await sheet.write(filming.browser);
  });

/** Somebody else's document, saved by a camera, into which a portrait was pasted before it was saved again. */
async function forged(browser: Browser): Promise<string> {
  const theirs = specimen("passport", 3, "-face", "birch", "-width", "1920", "-height", "1440");
  const portrait = await cropped(
    browser,
    passport().front,
    join(filming.folder, "portrait.jpg"),
    [0.13, 0.3, 0.19, 0.33],
  );
  return pasted(browser, theirs.front, portrait, join(filming.folder, "forged.jpg"), [0.13, 0.3, 0.19, 0.33]);
}

test("a document with a pasted portrait is not approved, though its forger is there", { tag: "@nightly" }, async ({
  open,
  owner,
  browser,
}) => {
  const page = await phone(open);
  const { id, challenge } = await filming.begin(page, "forged", await forged(browser));
  filming.film(challenge, "forged");
  await filming.run(page);
  await untold(page);
  const { state, signals } = await ended(id);
  expect(["capturing", "in_review", "declined"]).toContain(state);
  const desk = await reviewed(open, await owner.signedIn(), id, "Front");
  console.log(`a pasted portrait: ${state} ${signals.join(", ")}`);
  await sheet.add(`a pasted portrait: ${state.replace("_", " ")}`, page, desk);
  await sheet.write(filming.browser);
});
