import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Found = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string | undefined }[] };

/** Every violation of WCAG 2.2 AA and axe's best practices on the page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const found: Found[] = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (root: Document, options: object) => Promise<{ violations: Found[] }> };
    };
    const answer = await axe.run(document, { resultTypes: ["violations"] });
    return answer.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }));
  });
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n  ${nodes.map(({ target, failureSummary }) => `${target.join(" ")}\n    ${failureSummary ?? ""}`).join("\n  ")}`,
  );
}
