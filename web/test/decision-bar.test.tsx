import { HeadlessMantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { referredCase } from "../e2e/states/cases.ts";
import { owner } from "../e2e/states/desk.ts";
import { referred } from "../e2e/states/session.ts";
import type { Case } from "../src/api/wire.ts";
import { DecisionBar } from "../src/console/cases/DecisionBar.tsx";

const rolf = { id: "usr_rolf", name: "Rolf Brandt" };
const zofia = { id: "usr_zofia", name: "Zofia Nowak" };
const held: Partial<Case> = { state: "claimed", assignee: rolf, claimed_until: "2026-11-21T12:00:00Z", version: 3 };

/** The bar of a case that Rolf has, looked at by somebody else, and what comes in of the case. */
function shown(onNext: () => Promise<boolean> = async () => true) {
  const bar = (more: Partial<Case>) => (
    <HeadlessMantineProvider>
      <DecisionBar
        found={{ ...referredCase, case: { ...referredCase.case, ...held, ...more } }}
        file={referred}
        me={owner}
        onNext={onNext}
        onBack={vi.fn()}
        onQueue={vi.fn()}
      />
    </HeadlessMantineProvider>
  );
  const { rerender } = render(bar({}));
  return { comes: (more: Partial<Case>) => rerender(bar(more)) };
}
const said = () => screen.getByRole("status").textContent;
const why = "This case is assigned to someone else.";

describe("what the bar of a case says", () => {
  it("a key that does nothing says why, and goes on saying it while there is no news", () => {
    const { comes } = shown();
    expect(said()).toMatch(/^Assigned to Rolf Brandt until/);
    fireEvent.keyDown(document.body, { key: "a" });
    expect(said()).toBe(why);
    comes({ claimed_until: "2026-11-21T12:20:00Z" });
    expect(said()).toBe(why);
  });

  it.each<[string, Partial<Case>, RegExp]>([
    ["it is free again", { state: "open", assignee: null, claimed_until: null }, /^Unassigned/],
    ["another has it now", { assignee: zofia }, /^Assigned to Zofia Nowak until/],
    ["somebody did something to it", { version: 4 }, /^Assigned to Rolf Brandt until/],
    ["it was closed", { state: "closed" }, /^Closed: the session/],
  ])("news of the case end it: %s", (_, news, then) => {
    const { comes } = shown();
    fireEvent.keyDown(document.body, { key: "a" });
    expect(said()).toBe(why);
    comes(news);
    expect(said()).toMatch(then);
    expect(screen.queryByText(why)).toBeNull();
    fireEvent.keyDown(document.body, { key: "x" });
    expect(said()).not.toMatch(then); // and the next one is said about the case as it is now
  });

  it("what is answered after the news is about the case before them, and not said", async () => {
    let answer = (_: boolean) => {};
    const { comes } = shown(() => new Promise((resolve) => (answer = resolve)));
    fireEvent.keyDown(document.body, { key: "j" });
    comes({ assignee: zofia });
    await act(async () => answer(false));
    expect(said()).toMatch(/^Assigned to Zofia Nowak until/);
  });
});
