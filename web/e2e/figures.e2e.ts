import { expect } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { test } from "./support/test.ts";

// From a bar of the figures to its sessions, with the real server: the list says as many as the bar.

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
