import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { edited, filmed } from "../e2e/states/signals.ts";
import type { SessionFile } from "../src/api/wire.ts";
import { Evidence } from "../src/console/evidence/Evidence.tsx";

function shown(file: SessionFile): void {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  render(
    <QueryClientProvider client={client}>
      <Evidence file={file} place={null} look={null} />
    </QueryClientProvider>,
  );
}

describe("the evidence", () => {
  it("frames what a signal suspects, and S hides and shows it without the other boxes", () => {
    shown(edited);
    fireEvent.load(screen.getByRole("img", { name: "Front, as sent" }));
    const count = (which: string) => document.querySelectorAll(`rect${which}`).length;
    const others = count(':not([data-kind="edited"])');
    expect([count('[data-kind="edited"]'), others > 0]).toEqual([2, true]);
    fireEvent.keyDown(document.documentElement, { key: "s", code: "KeyS" });
    expect([count('[data-kind="edited"]'), count(':not([data-kind="edited"])')]).toEqual([0, others]);
    expect(screen.getByRole("button", { name: "Suspicious" }).getAttribute("aria-pressed")).toBe("false");
    fireEvent.keyDown(document.documentElement, { key: "s", code: "KeyS" });
    expect(count('[data-kind="edited"]')).toBe(2);
  });

  it("shows a run as its frames under their prompts, and one of them large", () => {
    shown(filmed);
    fireEvent.click(screen.getByRole("button", { name: /^Selfie/ }));
    const film = screen.getByRole("list", { name: "Selfie: challenge frames" });
    expect(film.querySelectorAll("li").length).toBe(24);
    expect([...film.querySelectorAll('li[data-marked="true"]')].map((frame) => frame.textContent)).toEqual([
      expect.stringContaining("live signal 0.31"),
      ...Array.from({ length: 5 }, () => expect.stringMatching(/^Turn .*turned/)),
    ]);
    fireEvent.click(screen.getByRole("button", { name: /^Open frame 14,/ }));
    expect(screen.getByRole("img", { name: "Selfie, frame 14, as sent" }).getAttribute("src")).toMatch(/frame=13$/);
    fireEvent.click(screen.getByRole("button", { name: "All frames" }));
    expect(screen.getByRole("list", { name: "Selfie: challenge frames" })).toBeTruthy();
  });
});
