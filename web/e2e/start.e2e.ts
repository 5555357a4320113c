import { expect } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { Owner } from "./support/owner.ts";
import { serve } from "./support/server.ts";
import { test } from "./support/test.ts";

// The first minutes of a deployment, with a server of its own: the steps tick themselves, and what is missing is named.

test("the first steps tick themselves as they are taken, and can be hidden", async ({ browser, open }) => {
  const server = await serve();
  try {
    const owner = new Owner(browser, server);
    await owner.setUp();
    const { page, complaints } = await open("desktop", await owner.signedIn());
    await page.goto(`${server.url}/console`);
    const steps = page.getByRole("region", { name: "First steps" });
    const section = page.locator("section", { has: page.getByRole("heading", { name: "First steps" }) });
    await section.getByText(/of 5 done/).waitFor();
    expect(await steps.count()).toBeLessThanOrEqual(1);
    const live = section.getByRole("listitem").filter({ hasText: "Create a live link" });
    await live.getByText("To do").waitFor();
    expect(await violations(page)).toEqual([]);

    await page.evaluate(async () => {
      await fetch("/v1/console/sessions", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
        body: JSON.stringify({ mode: "live" }),
      });
    });
    await page.reload();
    await live.getByText("Done").waitFor();
    await page.getByText("Backup: none has been made yet").waitFor();
    await section.getByRole("button", { name: "Hide" }).click();
    await section.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    expect(await section.count()).toBe(0);
    await caller(() => server)("POST", "/v1/sessions", {});
    expect(complaints).toEqual([]);
  } finally {
    await server.stop();
  }
});
