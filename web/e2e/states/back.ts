import type { Shown, State } from "./state.ts";
import { flow, front, press, selfie } from "./steps.ts";

/** Opens the menu and chooses its only entry. */
export const stop =
  (more = "More", name = "Stop the check") =>
  async ({ page }: Shown) => {
    await page.getByRole("button", { name: more }).click();
    await page.getByRole("menuitem", { name }).click();
  };
/** What the person finds beside the steps: the way back, and the menu with the way out. */
export const backStates: State[] = [
  flow("stop-dialog-optional", { ...front, face_optional: true }, "Stop the check?", { act: stop() }),
  flow("stop-dialog", front, "Stop the check?", { act: stop() }),
  flow("menu-open", front, /photo page/, { act: press("More") }),
  flow("other-document", selfie, "Use another document?", { act: press("Back") }),
];
