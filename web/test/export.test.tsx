import { Blob } from "node:buffer";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { owner } from "../e2e/states/desk.ts";
import { pageCommands } from "../src/console/parts/commands.ts";
import { client, queries } from "../src/console/queries.ts";
import { ExportSessions } from "../src/console/sessions/ExportSessions.tsx";
import { server } from "./server.ts";

class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal("ResizeObserver", NoObserver);
vi.stubGlobal("Blob", Blob); // that of the answers

const saved: string[] = [];
vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
  saved.push(this.download);
});

function show(me: Partial<typeof owner> = {}, found = false) {
  client.setQueryData(queries.me.queryKey, { ...owner, ...me });
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <ExportSessions mode="live" search={{ state: "approved", to: "2026-11-20", after: "ses_1" }} found={found} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

/** A server that lists so many sessions, and notes what it was asked to export. */
function holding(total: number): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/v1/console/sessions", () => HttpResponse.json({ items: [], next: "", counts: {}, about: [], total })),
    http.get("*/v1/console/exports/sessions", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return new HttpResponse("a file");
    }),
  );
  return asked;
}

const opened = async () => fireEvent.click(await screen.findByRole("button", { name: "Export" }));
const item = (name: RegExp) => screen.findByRole<HTMLButtonElement>("menuitem", { name });

beforeEach(() => {
  saved.length = 0;
  client.clear();
});

describe("the export of a list", () => {
  it.each([
    [1, "1 row, with the filters set here"],
    [1234, "1,234 rows, with the filters set here"],
    [23_456, "The first 10,000 of 23,456 rows, with the filters set here"],
  ])("says in the menu what becomes of %i rows", async (total, text) => {
    holding(total);
    show();
    await opened();
    expect(await screen.findByText(text)).toBeDefined();
  });

  it.each([
    ["csv", /^CSV/],
    ["jsonl", /^JSON Lines/],
  ])("saves %s under the filters, from the first page on", async (format, name) => {
    const asked = holding(2);
    show();
    await opened();
    fireEvent.click(await item(name));
    await vi.waitFor(() => expect(saved).toEqual([`sessions.${format}`]));
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ mode: "live", state: "approved", to: "2026-11-21", format });
  });

  it("says what the server refuses, and saves nothing", async () => {
    holding(2);
    server.use(http.get("*/v1/console/exports/sessions", () => new HttpResponse(null, { status: 500 })));
    show();
    await opened();
    fireEvent.click(await item(/^CSV/));
    expect(await screen.findByRole("alert")).toBeDefined();
    expect(saved).toEqual([]);
  });

  it.each([
    ["a role that sees it masked", { masked: ["sessions.read" as const] }, false, /see personal data masked/],
    ["what a search for a person found", {}, true, /search for a person cannot be exported/],
  ])("is not there for %s, and the menu and the palette say why", async (_, me, found, why) => {
    show(me, found);
    await opened();
    expect(await screen.findByText(why)).toBeDefined();
    for (const name of [/^CSV/, /^JSON Lines/]) expect((await item(name)).disabled).toBe(true);
    expect(pageCommands().map(({ name, why: reason }) => [name, why.test(reason ?? "")])).toEqual([
      ["Export as CSV", true],
      ["Export as JSON Lines", true],
    ]);
  });
});
