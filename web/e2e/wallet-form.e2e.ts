import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { test } from "./support/test.ts";

// The form for credentials that no preset has, with the real server: what it shows is what a session then sends.
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

async function make(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/console/workflows`);
  await press(page, "New workflow");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create workflow" }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

/** The query that the page of a session hands to the browser. */
async function asked(page: Page, url: string): Promise<unknown> {
  const requested = page.waitForResponse(
    (answer) => answer.url().endsWith("/v1/applicant/steps/wallet") && answer.request().method() === "POST",
  );
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await press(page, "Use the test wallet");
  const { requests } = await (await requested).json();
  const { protocol, data } = requests.find(({ protocol }: { protocol: string }) => protocol.endsWith("unsigned"));
  expect(protocol).toBe("openid4vp-v1-unsigned");
  return data.dcql_query;
}

test("another credential is asked for by its type, and the form shows what is sent", async ({
  open,
  server,
  owner,
}) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await make(page, server.url, "membership");
  const wallet = page.getByRole("group", { name: "Wallet", exact: true });
  await wallet.getByRole("radio", { name: "Optional" }).check();
  await page.getByLabel("Mobile driving licence").uncheck();
  await press(page, "Add a credential");
  await page.getByText("The vct or docType of the credential, without spaces.").waitFor();
  await page.getByText("Request sent to wallets (DCQL)").click();
  await page.getByText("There is nothing to request yet.").waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByLabel("Type (vct)").fill("urn:example:membership:1");
  const claims = page.getByRole("textbox", { name: "Claims" });
  await claims.fill("family_name\nlevel/na me\n");
  await page.getByText("Line 2: One to 6 names, without spaces.").waitFor();
  await claims.fill("family_name\ngiven_name\nbirthdate\nlevel/name?");
  const sent = page.getByRole("region", { name: "Request sent to wallets (DCQL)" });
  await expect(sent).toContainText("urn:example:membership:1");
  await expect(sent).toContainText('"name"'); // only the second text has it; PIDs have a birthdate, too
  expect(await violations(page)).toEqual([]);
  const shown: unknown = JSON.parse((await sent.textContent()) ?? "");

  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
  const { url } = await caller(() => server)("POST", "/v1/sessions", { workflow: "membership" });
  const person = await open("phone");
  expect(await asked(person.page, url)).toEqual(shown);
  expect(complaints).toEqual([]);
});
