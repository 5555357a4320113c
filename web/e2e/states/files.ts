import type { State } from "./state.ts";
import { choose, flow, front } from "./steps.ts";

/** What people see of files before they are sent. */
export const fileStates: State[] = [
  flow("review-pdf", front, "Send this PDF?", {
    act: ({ page }) =>
      page.locator('input[type="file"]').setInputFiles({
        name: "passport 2024 scan.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-1.7\n"),
      }),
  }),
  flow("picture-lost", front, /loaded again before your last picture was sent/, {
    act: async (shown) => {
      await choose("document")(shown);
      await shown.page.getByText("Can you read every line?").waitFor();
      await shown.page.reload();
    },
  }),
];
