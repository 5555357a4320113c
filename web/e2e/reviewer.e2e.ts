import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { nightly } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { results } from "./support/fixtures.ts";
import { Owner } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { type Open, test, type Visit } from "./support/test.ts";

// A reviewer's day with the real server: from the queue to a decision on a desktop, a phone and a tablet; an approval by two people;
// the pictures of earlier tries; the other session of the same person. The server is its own, for the queue has to be empty.
const folder = join(results, "reviewer");

test.use({ reel: "reviewer" });

let server: Server;
let owner: Owner;

test.beforeAll(async ({ browser }) => {
  server = await serve();
  owner = new Owner(browser, server);
  await owner.setUp();
});

test.afterAll(async () => {
  await server?.stop();
});

const call = caller(() => server);
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** A workflow whose approvals take two people, made in the console. */
async function fourEyes(page: Page): Promise<void> {
  await page.goto(`${server.url}/console/workflows`);
  await press(page, "New workflow");
  await page.getByRole("dialog").getByLabel("Name").fill("four_eyes");
  await press(page, "Create workflow");
  await page.getByLabel("Manual approvals need a second person").check();
  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
}

/** A second member, who may give second approvals, on a phone. */
async function senior(open: Open, page: Page): Promise<Visit> {
  await page.goto(`${server.url}/console/settings/team`);
  await press(page, "Invite member");
  await page.getByLabel("Their email").fill("rita@bank.example");
  await page.getByRole("checkbox", { name: "Reviewer", exact: true }).uncheck();
  await page.getByRole("checkbox", { name: "Senior reviewer", exact: true }).check();
  await press(page, "Create link");
  const link = await page.getByLabel("Invitation link").inputValue();
  const visit = await open("phone");
  await visit.page.goto(link);
  await visit.page.getByLabel("Your name").fill("Rita Holm");
  await visit.page.getByLabel("Password", { exact: true }).fill("another long sentence to sign in with");
  await press(visit.page, "Join");
  await visit.page.getByRole("button", { name: "Menu" }).waitFor();
  return visit;
}

/** The persona's session waits for a person. */
async function referred(reference: string, persona: string, workflow?: string): Promise<string> {
  const { id } = await call("POST", "/v1/sessions", {
    external_reference: reference,
    claimed: { document_number: `persona:${persona}` },
    ...(workflow ? { workflow } : {}),
  });
  await call("POST", `/v1/sessions/${id}/simulate`, {});
  await expect.poll(async () => (await call("GET", `/v1/sessions/${id}`)).state, { timeout: 60_000 }).toBe("in_review");
  return id;
}

test("a reviewer's day: four eyes, earlier tries, the other session of the same person, at three widths", async ({
  open,
}) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await fourEyes(page);
  await referred("tries", "never_sharp");
  const twice = await referred("twice", "in_review", "four_eyes");

  await page.goto(`${server.url}/console/cases`);
  const row = page.getByRole("row", { name: /twice/ });
  await row.getByText("Face match uncertain").waitFor();
  const person = (await row.getByRole("cell").first().textContent()) ?? "";
  expect(person.length).toBeGreaterThan(3);
  await shot(page, "queue.1440");
  await row.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: person }).waitFor();
  await page.getByText("Approvals: 0 of 2").waitFor();
  await page.getByRole("region", { name: "Related sessions" }).getByRole("link", { name: "tries" }).waitFor();
  await page.keyboard.press("a");
  await page.getByText("Approvals: 1 of 2, by Ida Lindqvist").waitFor({ timeout: 20_000 });
  const approve = page.getByRole("button", { name: /^Approve/ });
  await expect(approve).toHaveAttribute("aria-disabled", "true");
  expect(await approve.getAttribute("title")).toMatch(/second/);
  await shot(page, "case.1440");

  // A reviewer whose browser is German reads why in German: in the queue, with the check, and where reasons are chosen.
  const ida = await open("desktop", { ...(await owner.signedIn()), locale: "de-DE" });
  await ida.page.goto(`${server.url}/console/cases?tab=all`);
  await ida.page.getByRole("row", { name: /twice/ }).getByText("Gesichtsvergleich unsicher").waitFor();
  await ida.page.getByRole("link", { name: /twice/ }).click();
  const why = /Die Ähnlichkeit liegt zwischen den Schwellenwerten für Raten falscher Treffer/;
  await ida.page.getByRole("region", { name: "Entscheidung" }).getByText(why).waitFor();
  await ida.page.goto(`${server.url}/console/cases?tab=all`);
  await ida.page.getByRole("link", { name: /tries/ }).click();
  await ida.page.getByRole("button", { name: /^Ablehnen/ }).click();
  await ida.page.getByRole("dialog").getByText("Das Ablaufdatum liegt vor dem Datum des Servers.").waitFor();
  expect(ida.complaints).toEqual([]);
  await ida.page.goto(`${server.url}/console/settings/account`);
  await ida.page.getByLabel("Aktuelles Passwort").fill("not the one that she has");
  await ida.page.getByLabel("Neues Passwort").fill("another long sentence of hers");
  await press(ida.page, "Passwort ändern");
  await ida.page.getByRole("alert").getByText("Das aktuelle Passwort ist falsch.").waitFor();
  await ida.page.close();

  const rita = await senior(open, page);
  await rita.page.goto(`${server.url}/console/cases`);
  await rita.page.getByRole("link", { name: /twice/ }).click();
  await rita.page.getByText("Approvals: 1 of 2, by Ida Lindqvist").waitFor();
  await shot(rita.page, "case.390");
  await press(rita.page, /^Approve/);
  await rita.page.getByText("You approved this case.").waitFor({ timeout: 20_000 });
  expect((await call("GET", `/v1/sessions/${twice}`)).state).toBe("approved");
  expect(rita.complaints).toEqual([]);

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: /tries/ }).click();
  await press(page, /^\d+ earlier$/);
  await press(page, "Front, earlier attempt 1");
  await page.getByRole("img", { name: "Front, earlier attempt 1, as sent" }).waitFor();
  await page.getByText("An earlier attempt, replaced by a later one.").waitFor();
  const repeated = page.getByRole("region", { name: "Timeline" }).getByRole("listitem").filter({ hasText: "Reopened" });
  await repeated.first().getByText("Blurred picture").waitFor();
  await shot(page, "tries.1024");
  await page.keyboard.press("d");
  const offered = page.getByRole("dialog").getByRole("checkbox");
  expect(await offered.count()).toBeLessThanOrEqual(14);
  await page.getByRole("dialog").getByRole("checkbox", { name: "Document unreadable" }).check();
  await shot(page, "decline.1024");
  await page.keyboard.press("Control+Enter");
  await page.getByText("You declined this case.").waitFor({ timeout: 20_000 });
  expect(complaints).toEqual([]);
});
