import type { Locator, Page } from "@playwright/test";

const most = 40; // stops of Tab on one screen

/** Presses Tab until a button has the focus, as people without a pointer do. */
export async function tabTo(page: Page, name: string | RegExp): Promise<Locator> {
  const button = page.getByRole("button", { name });
  await button.waitFor();
  for (let stops = 0; stops < most; stops++) {
    if (await button.evaluate((element) => element === document.activeElement)) return button;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached with Tab`);
}

/** Presses Tab until a field of that name has the focus. */
export async function tabToField(page: Page, name: string): Promise<void> {
  const field = page.getByRole("combobox", { name });
  await field.waitFor();
  for (let stops = 0; stops < most; stops++) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached with Tab`);
}

/** Reaches a button with Tab, sees that its focus shows, and presses it with a key. */
export async function strike(page: Page, name: string | RegExp, key: "Enter" | "Space" = "Enter"): Promise<void> {
  const button = await tabTo(page, name);
  const shown = await button.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return element.matches(":focus-visible") && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  });
  if (!shown) throw new Error(`the focus on ${name} does not show`);
  await page.keyboard.press(key);
}
