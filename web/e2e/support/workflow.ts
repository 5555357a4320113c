import type { Page } from "@playwright/test";
import type { WorkflowSpec } from "../../src/api/wire.ts";

/**
 * Publishes a test workflow by the calls that the console makes, from a page of a member who is signed in: "no_liveness" with `changes`,
 * and with `required` checks besides its own.
 */
export async function publishWorkflow(
  page: Page,
  name: string,
  changes: Partial<WorkflowSpec>,
  required: readonly string[] = [],
): Promise<void> {
  await page.evaluate(
    async ({ name, changes, required }) => {
      const at = async (method: string, path: string, body?: unknown) => {
        const answer = await fetch(`/v1/console/workflows${path}`, {
          method,
          headers: { "Content-Type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
        return answer.json();
      };
      const { items } = await at("GET", "?mode=test");
      const from = items.find(({ name }: { name: string }) => name === "no_liveness").published.id;
      const { id, draft } = await at("POST", "", { mode: "test", name, from });
      const { revision, spec } = await at("GET", `/${id}/versions/${draft.id}`);
      const changed = { ...spec, ...changes, required: [...spec.required, ...required] };
      const saved = await at("PUT", `/${id}/draft`, { revision, spec: changed });
      await at("POST", `/${id}/publish`, { revision: saved.revision });
    },
    { name, changes, required },
  );
}
