import type { FrameLocator, Page } from "@playwright/test";

export const countryField = "Which country issued your document?";

/** Agrees on the consent page. Where a computer then shows the code for a phone, the person stays. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I agree" }).click();
  const stay = page.getByRole("button", { name: "Continue on this device" });
  await stay.or(page.getByRole("heading", { name: "Which document will you use?" })).waitFor();
  if (await stay.isVisible()) await stay.click();
}

/** Opens the list of countries, which is open already where no country could be preset. */
export async function openCountries(page: Page | FrameLocator): Promise<void> {
  const field = page.getByRole("combobox", { name: countryField });
  const change = page.getByRole("button", { name: "Change" });
  await field.or(change).waitFor();
  if (await change.isVisible()) await change.click();
  await field.waitFor();
}

/** Says which country issued the document, by typing the beginning of its name. */
export async function pickCountry(page: Page | FrameLocator, name = "Utopia"): Promise<void> {
  await openCountries(page);
  await page.getByRole("combobox", { name: countryField }).fill(name.slice(0, 4));
  await page.getByRole("option", { name }).click();
}
