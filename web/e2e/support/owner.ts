import type { Page } from "playwright-core";

export const owner = { name: "Ida Lindqvist", email: "ida@bank.example", password: "a long sentence to sign in with" };

/** Makes the first account by the link that the server printed; its owner is signed in then. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(owner.name);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Make the account" }).click();
}
