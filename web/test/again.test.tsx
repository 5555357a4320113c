import { render, screen } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { App } from "../src/applicant/App.tsx";
import { front, go, heading, press } from "./applicant.tsx";
import { peeked, problem, refuse, say, server, session, task } from "./server.ts";

const link = "secret-link";
const next = "ses_06c1q2m3n4p5r6s7t8v9w0x1y3";
const declined = task({
  state: "declined",
  step: "",
  position: 0,
  total: 0,
  another_document: true,
  deadline: new Date(Date.now() + 3_600_000).toISOString(),
  return_url: "https://bank.example/after",
  problem: {
    code: "document.expired",
    step: "",
    title: "This document has expired.",
    remedy: "Use one that is valid.",
  },
});
const over = { ...declined, another_document: false, deadline: null };
const path = "*/v1/applicant/another-document";
const begun = () => http.post(path, () => HttpResponse.json({ session: next, token: "second" }));
const kept = () => localStorage.getItem("bonafide.kept") ?? "";

/** Opens the link in this browser, and is declined. */
async function decline(): Promise<() => void> {
  go(`/v/${link}`);
  server.use(say.peek(peeked), say.open(declined));
  const { unmount } = render(<App />);
  await press("Start");
  await heading("We couldn't verify you");
  return unmount;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => server.resetHandlers());

describe("after a decline for the document", () => {
  it("another one begins a session in place of the declined one, under the same link", async () => {
    await decline();
    expect(screen.getByText(/once more with another document/)).toBeDefined();
    expect(screen.getByRole("link", { name: /bank.example/ })).toBeDefined();
    server.use(begun(), say.task(task({ session: next })));
    await press("Try again with another document");
    await heading(/compare your face/);
    expect(location.pathname).toBe(`/verify/${next}`);
    expect(screen.queryByText(/expired/)).toBeNull();
    expect(sessionStorage.getItem(`bonafide.token.${next}`)).toBe("second");
    expect(sessionStorage.getItem(`bonafide.link.${link}`)).toBe(next);
    expect(kept()).toContain(next);
    expect(kept()).not.toContain(session);
    expect(kept()).not.toContain("second");
  });

  it("the offer is there again when the tab was closed", async () => {
    const close = await decline();
    close();
    sessionStorage.clear();
    go(`/v/${link}`);
    server.use(say.resume(), say.task(declined));
    render(<App />);
    await heading("We couldn't verify you");
    expect(screen.getByRole("button", { name: "Try again with another document" })).toBeDefined();
  });

  it("a tab that comes later goes on with the session that another one began", async () => {
    const close = await decline();
    close();
    sessionStorage.clear();
    go(`/v/${link}`);
    server.use(
      http.post("*/v1/applicant/resume", () => HttpResponse.json({ session: next, token: "third" })),
      say.task({ ...front, session: next }),
    );
    render(<App />);
    await heading(/photo page/);
    expect(location.pathname).toBe(`/verify/${next}`);
    expect(sessionStorage.getItem(`bonafide.token.${next}`)).toBe("third");
    expect(kept()).toContain(next);
  });

  it("what failed on the way is asked for under the same name, and begins one session", async () => {
    await decline();
    const names: (string | null)[] = [];
    server.use(
      http.post(path, async ({ request }) => {
        names.push(request.headers.get("Idempotency-Key"));
        await delay(1);
        return names.length === 1 ? HttpResponse.error() : HttpResponse.json({ session: next, token: "second" });
      }),
      say.task(task({ session: next })),
    );
    await press("Try again with another document");
    await screen.findByRole("alert");
    await press("Try again with another document");
    await heading(/compare your face/);
    expect(names).toHaveLength(2);
    expect(names[0]).toBeTruthy();
    expect(names[1]).toBe(names[0]);
  });

  it("an offer that is over is gone, and the end stays", async () => {
    await decline();
    server.use(
      http.post(path, () => refuse(problem("session.finished", 409))),
      say.task(over),
    );
    await press("Try again with another document");
    await screen.findByRole("link", { name: /bank.example/ });
    await heading("We couldn't verify you");
    expect(screen.queryByRole("button", { name: /another document/ })).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it("without an offer the browser keeps nothing", async () => {
    go(`/v/${link}`);
    server.use(say.peek(peeked), say.open(over));
    render(<App />);
    await press("Start");
    await heading("We couldn't verify you");
    expect(screen.queryByRole("button", { name: /another document/ })).toBeNull();
    expect(localStorage).toHaveLength(0);
  });
});
