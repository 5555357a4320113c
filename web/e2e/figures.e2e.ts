import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { test } from "./support/test.ts";

// From a bar of the figures to its sessions, with the real server: the list says as many as the bar. And what the lists and the
// figures export.

test("a number of the figures leads to a list with as many sessions, by its address alone", async ({
  open,
  server,
  owner,
}) => {
  const call = caller(() => server);
  for (const reference of ["one", "two", "three"])
    await call("POST", "/v1/sessions", { external_reference: `figure-${reference}`, workflow: "no_liveness" });
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/analytics`);
  const region = page.getByRole("region", { name: "By workflow" });
  await region.getByRole("button", { name: "Show as a table" }).click();
  const row = region.getByRole("row", { name: /^no_liveness 1/ });
  const cell = row.getByRole("link").first();
  const counted = Number(await cell.textContent());
  expect(counted).toBeGreaterThanOrEqual(3);
  expect(await violations(page)).toEqual([]);

  await cell.press("Enter");
  await page.getByText(`${counted} sessions: version 1`).waitFor();
  const address = page.url();
  expect(address).toContain("version=");
  expect(await violations(page)).toEqual([]);
  await page.goto(address); // it can be sent
  await page.getByText(`${counted} sessions: version 1`).waitFor();
  await page.getByRole("button", { name: "Show all sessions" }).click();
  await page.getByText(`${counted} sessions: version 1`).waitFor({ state: "detached" });

  await page.goto(`${server.url}/console/analytics`);
  await page
    .getByRole("region", { name: "Compared with the previous period" })
    .getByText("+", { exact: false })
    .first()
    .waitFor();
  await page.getByRole("region", { name: "Time per step" }).waitFor();
  expect(complaints).toEqual([]);
});

/** The lines of the file that the export of a page saves. */
async function exported(page: Page, format: RegExp, name: string): Promise<string[]> {
  await page.getByRole("button", { name: "Export" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: format }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(name);
  return readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split(/\r?\n/);
}

test("audit entries, sessions and figures are exported in both formats, under the filters of the page", async ({
  open,
  server,
  owner,
}) => {
  const call = caller(() => server);
  const { id } = await call("POST", "/v1/sessions", { external_reference: "exported" });
  const { page, complaints } = await open("desktop", await owner.signedIn());

  await page.goto(`${server.url}/console/settings/audit?action=session.created`);
  await page.getByRole("table", { name: /Audit entries/ }).waitFor();
  const [head, ...rows] = await exported(page, /^CSV/, "audit-entries.csv");
  expect(head).toBe("id,position,at,actor,actor_id,address,action,session,subject");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.split(",")[6]).toBe("session.created");
  expect(rows.some((row) => row.split(",")[7] === id)).toBe(true);

  // From the keyboard: the menu opens, its first entry has the focus, an arrow leads to the next.
  await page.getByRole("button", { name: "Export" }).press("Enter");
  await page.getByText("With the filters set here, 10,000 rows at most").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("menuitem", { name: /^CSV/ }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  const lines = await exported(page, /^JSON Lines/, "audit-entries.jsonl");
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries.map((entry) => entry.action)).toEqual(rows.map(() => "session.created"));
  expect(entries.map((entry) => entry.id)).toEqual(rows.map((row) => row.split(",")[0]));

  await page.goto(`${server.url}/console/sessions?q=exported`);
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("1 row, with the filters set here").waitFor();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  const sessions = await exported(page, /^JSON Lines/, "sessions.jsonl");
  expect(sessions.map((line) => JSON.parse(line).id)).toEqual([id]);
  expect(await exported(page, /^CSV/, "sessions.csv")).toEqual([
    expect.stringMatching(/^id,mode,external_reference,/),
    expect.stringMatching(`^${id},test,exported,created,`),
  ]);

  await page.goto(`${server.url}/console/analytics`);
  await page.getByRole("region", { name: "By workflow" }).waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const said = await page.getByText(/rows, with the filters set here/).textContent();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  const figures = await exported(page, /^JSON Lines/, "figures.jsonl");
  expect(figures.length).toBe(Number.parseInt(said ?? "", 10));
  expect(JSON.parse(figures[0] ?? "").group).toBe("total");
  expect((await exported(page, /^CSV/, "figures.csv")).length).toBe(figures.length + 1);
  expect(complaints).toEqual([]);
});
