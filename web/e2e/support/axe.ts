import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Found = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string | undefined }[] };

/**
 * Every violation of WCAG 2.2 AA and axe's best practices on the page, one line each. A second theme changes nothing
 * but colours: there it is enough to look at these.
 */
export async function violations(page: Page, of: "everything" | "colours" = "everything"): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`);
  const found: Found[] = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (root: Document, options: object) => Promise<{ violations: Found[] }> };
    };
    const answer = await axe.run(document, {
      resultTypes: ["violations"],
      ...(rules === "colours" ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } : {}),
    });
    return answer.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }));
  }, of);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n  ${nodes.map(({ target, failureSummary }) => `${target.join(" ")}\n    ${failureSummary ?? ""}`).join("\n  ")}`,
  );
}
