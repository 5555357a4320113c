import type { FrameLocator, Page } from "@playwright/test";

/** Says which country issued the document, by typing the beginning of its name. */
export async function pickCountry(page: Page | FrameLocator, name = "Utopia"): Promise<void> {
  await page.getByRole("combobox", { name: "Country or organisation" }).fill(name.slice(0, 4));
  await page.getByRole("option", { name }).click();
}
