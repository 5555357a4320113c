import { HeadlessMantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { owner } from "../e2e/states/desk.ts";
import { referred } from "../e2e/states/session.ts";
import type { SessionFile } from "../src/api/wire.ts";
import { client, queries } from "../src/console/queries.ts";
import { NewLink } from "../src/console/session/NewLink.tsx";
import { press } from "./applicant.tsx";
import { server } from "./server.ts";

function show(may: (typeof owner)["may"], file: SessionFile = referred) {
  client.setQueryData(queries.me.queryKey, { ...owner, may });
  render(
    <QueryClientProvider client={client}>
      <HeadlessMantineProvider>
        <NewLink file={file} />
      </HeadlessMantineProvider>
    </QueryClientProvider>,
  );
}
const button = () => screen.queryByRole("button", { name: "Create new link" });

describe("a new link in the console", () => {
  it("is made on the second button, and shown once with a button that copies it", async () => {
    const url = "https://id.example/v/secret";
    let made = 0;
    server.use(
      http.post("*/v1/console/sessions/:id/link", () => {
        made++;
        return HttpResponse.json({ url, expires_at: "2026-11-26T12:00:00Z" });
      }),
    );
    show(["sessions.write"]);
    await press("Create new link");
    await screen.findByText(/The old link stops working/);
    expect(made).toBe(0);
    const [, second] = screen.getAllByRole("button", { name: "Create new link", hidden: true });
    second?.click();
    expect(await screen.findByDisplayValue(url)).toBeDefined();
    expect(screen.getByRole("button", { name: "Copy" })).toBeDefined();
    expect(made).toBe(1);
  });

  it("is not offered without the permission, nor after the end", () => {
    show([]);
    expect(button()).toBeNull();
    show(["sessions.write"], { ...referred, session: { ...referred.session, state: "approved" } });
    expect(button()).toBeNull();
  });
});
