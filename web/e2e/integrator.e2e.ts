import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly } from "./support/browser.ts";
import { results } from "./support/fixtures.ts";
import { Owner } from "./support/owner.ts";
import { Receiver, verdict } from "./support/receiver.ts";
import { type Server, serve } from "./support/server.ts";
import { test } from "./support/test.ts";

// An integrator's day with the real server: a key and an endpoint from the console, a session of a test persona, the webhook with the
// integrator's own reference, the verified facts, and the step from one version of the API to the next.
const folder = join(results, "integrator");

test.use({ reel: "integrator" });
const before = "2026-06-01";
const newest = "2026-11-24";

let server: Server;
let receiver: Receiver;
let owner: Owner;
let key = "";

test.beforeAll(async ({ browser }) => {
  server = await serve();
  receiver = await Receiver.open();
  owner = new Owner(browser, server);
  await owner.setUp();
});

test.afterAll(async () => {
  await server?.stop();
  receiver?.close();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();

async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Calls the API with the integrator's key, in a version or in the newest. */
async function call(method: string, path: string, body?: unknown, version?: string) {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...(version ? { "Bonafide-Version": version } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
}

async function makeKey(page: Page): Promise<string> {
  await page.goto(`${server.url}/console/developers/keys`);
  await press(page, "New key");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop, staging");
  await dialog.getByLabel("reports.read").check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const made = await dialog.getByLabel("API key").inputValue();
  expect(await violations(page)).toEqual([]);
  await shot(page, "1-key");
  return made;
}

/** An endpoint whose webhooks carry the reference and the metadata, tried with a test event. */
async function makeEndpoint(page: Page): Promise<string> {
  await page.goto(`${server.url}/console/developers/webhooks`);
  await press(page, "New endpoint");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByLabel("Reference and metadata", { exact: true }).check();
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
  const secret = await dialog.getByLabel("Signing secret").inputValue();
  await dialog.getByRole("link", { name: "View endpoint" }).click();
  await press(page, "Send test event");
  expect(verdict(await receiver.first("webhook.test"), secret)).toBe("genuine");
  await expect(page.getByText("Delivered")).toBeVisible({ timeout: 15_000 });
  await shot(page, "2-endpoint");
  return secret;
}

/** What the API says to a request with three mistakes: each of them, by its place, in a word that is no schema library's. */
async function mistakes(): Promise<void> {
  const { status, json } = await call("POST", "/v1/sessions", {
    metadata: { tier: 4 },
    locale: "xx-invalid-locale-that-is-long",
  });
  expect(status).toBe(400);
  const pointers = JSON.stringify(json);
  expect(pointers).toContain("/metadata/tier");
  expect(pointers).not.toMatch(/The API expected|oneOf|additionalProperties/);
  expect(json.type).toMatch(/^https?:\/\//);
}

/** A session of a persona that passes, as the quick start makes it. */
async function verify(): Promise<string> {
  const made = await call("POST", "/v1/sessions", {
    external_reference: "customer-4711",
    metadata: { tier: "gold" },
    claimed: { given_names: "Ada", family_name: "Doe", document_number: "persona:approved" },
  });
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  expect(made.json.verified, "nobody is verified yet").toBeNull();
  const { id } = made.json;
  expect((await call("POST", `/v1/sessions/${id}/simulate`)).status).toBe(200);
  return id;
}

/** The same call in the version before: deprecated, until when, and where to read of it. */
async function upgrade(id: string): Promise<void> {
  const path = `/v1/sessions/${id}`;
  const old = await call("GET", path, undefined, before);
  expect(old.headers.get("bonafide-version")).toBe(before);
  expect(old.headers.get("deprecation")).toMatch(/^@\d+$/);
  expect(old.headers.get("sunset")).toContain("2027");
  const now = await call("GET", path, undefined, newest);
  expect(now.headers.get("bonafide-version")).toBe(newest);
  expect(now.headers.get("deprecation")).toBeNull();
  const unknown = await call("GET", path, undefined, "2031-01-01");
  expect(unknown).toMatchObject({ status: 400, json: { code: "request.unknown_version" } });
  const [was, is] = [before, newest].map((version) => call("GET", "/v1/sessions/ses_unknown", undefined, version));
  expect((await was)?.json.type).not.toMatch(/^http/);
  expect((await is)?.json.type).toMatch(/^http/);
}

test("from a key to verified facts, a webhook with the reference and the next version of the API", async ({ open }) => {
  test.setTimeout(180_000);
  const { page, complaints } = await open("desktop", await owner.signedIn());
  key = await makeKey(page);
  const secret = await makeEndpoint(page);
  await mistakes();
  const id = await verify();

  const told = await receiver.first("session.approved");
  expect(verdict(told, secret)).toBe("genuine");
  expect(verdict({ ...told, body: told.body.replace("customer-4711", "customer-4712") }, secret)).toBe("refused");
  expect(JSON.parse(told.body)).toMatchObject({
    session: id,
    external_reference: "customer-4711",
    metadata: { tier: "gold" },
    data: { outcome: "approved" },
  });

  const { json } = await call("GET", `/v1/sessions/${id}`);
  expect(json).toMatchObject({ state: "approved", external_reference: "customer-4711" });
  const { family_name, date_of_birth, document } = json.verified;
  expect(told.body, "a webhook says nothing about the person").not.toContain(family_name.value);
  expect(family_name).toMatchObject({ value: "Doe", disagree: [] });
  expect(date_of_birth.value).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(document.kind.value).toBe("passport");

  await page.goto(`${server.url}/console/sessions/${id}`);
  await page.getByText("customer-4711").first().waitFor();
  await shot(page, "3-session");
  await upgrade(id);
  await page.goto(`${server.url}/console/developers/logs`);
  await page.getByRole("table").getByText("/v1/sessions").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await shot(page, "4-log");
  expect(complaints).toEqual([]);
});
