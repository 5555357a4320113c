import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { results } from "./fixtures.ts";
import { binary, type Server } from "./server.ts";

/**
 * Downloads the case file of a session with its pictures, from the console by a member who is signed in, and checks it by the command, without
 * the server. Returns what the command says.
 */
export async function provenOffline(page: Page, server: Server, id: string): Promise<string> {
  const folder = join(results, "casefile");
  mkdirSync(folder, { recursive: true });
  await page.goto(`${server.url}/console/sessions/${id}`);
  await page.getByLabel("Include pictures").check();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the case file" }).click();
  const file = join(folder, `${id}.zip`);
  await (await saved).saveAs(file);
  const kept = join(folder, "checkpoint.json");
  writeFileSync(kept, await (await page.request.get(`${server.url}/v1/console/audit/checkpoint`)).text());
  const run = spawnSync(binary, ["audit", "verify", file, "--key", `@${kept}`], { encoding: "utf8" });
  expect(run.status, run.stdout + run.stderr).toBe(0);
  return run.stdout;
}
