import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { checks, file } from "../e2e/states/specimen.ts";
import { Facts } from "../src/console/evidence/Facts.tsx";
import { Timeline } from "../src/console/session/Timeline.tsx";

// What an applicant, their document or an integrator writes, as the reviewer sees it: letters, never elements.

const hostile = '<img src="x" onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">x</a>';

afterEach(cleanup);

it("shows hostile facts and notes as text", () => {
  const shown = file({}, checks(undefined));
  const claims = (shown.report?.claims ?? []).map((claim) => ({ ...claim, value: hostile }));
  expect(claims.length).toBeGreaterThan(3);
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <Facts
        file={{ ...shown, report: shown.report && { ...shown.report, claims } }}
        place={null}
        onPlace={() => undefined}
      />
      <Timeline events={shown.timeline.map((event) => ({ ...event, type: hostile, actor: hostile }))} />
    </QueryClientProvider>,
  );
  expect(container.textContent).toContain(hostile);
  expect(container.querySelectorAll("img, script, a[href^='javascript']")).toHaveLength(0);
});

it("no page makes elements out of text", () => {
  const made = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) =>
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|new Function\(|\beval\(/.test(
        readFileSync(join("src", path), "utf8"),
      ),
    );
  expect(made).toEqual([]);
});
