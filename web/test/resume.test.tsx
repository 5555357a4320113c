import { render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { App } from "../src/applicant/App.tsx";
import { front, go, heading, press } from "./applicant.tsx";
import { peeked, problem, refuse, say, server, session } from "./server.ts";

const link = "secret-link";
const gone = () => http.get("*/v1/applicant/task", () => refuse(problem("session.continued", 409)));

/** Opens the link in this browser, and closes the tab. */
async function openAndClose(): Promise<void> {
  go(`/v/${link}`);
  server.use(say.peek(peeked), say.open(front));
  const { unmount } = render(<App />);
  await press("Start");
  await heading(/photo page/);
  unmount();
  sessionStorage.clear();
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

describe("a closed tab", () => {
  it.each([`/v/${link}`, `/verify/${session}`])("is continued at once at %s", async (path) => {
    await openAndClose();
    expect(localStorage.getItem("bonafide.kept")).not.toContain("token");
    go(path);
    const opened = vi.fn();
    server.use(say.resume(), say.task(front), http.post("*/v1/applicant/open", opened));
    render(<App />);
    await heading(/photo page/);
    expect(sessionStorage.getItem(`bonafide.token.${session}`)).toBe("next");
    expect(location.pathname).toBe(`/verify/${session}`);
    expect(opened).not.toHaveBeenCalled();
  });

  it("is as any other browser once the session moved to another one", async () => {
    await openAndClose();
    go(`/v/${link}`);
    server.use(
      say.resume(problem("session.bound_elsewhere", 409)),
      say.peek({ ...peeked, state: "capturing", continues: "proof" }),
    );
    render(<App />);
    await heading(/another browser/);
    expect(screen.getByText(/ask Harbour Bank for a new link/)).toBeDefined();
    expect(localStorage).toHaveLength(0);
  });

  it("keeps the key while the server cannot be reached", async () => {
    await openAndClose();
    go(`/v/${link}`);
    server.use(http.post("*/v1/applicant/resume", () => HttpResponse.error()));
    render(<App />);
    await heading(/went wrong on our side/);
    expect(localStorage.getItem("bonafide.kept")).toContain("key");
  });

  it("offers another try when the server is busy", async () => {
    await openAndClose();
    go(`/v/${link}`);
    server.use(say.resume(problem("rate.limited", 429)));
    render(<App />);
    await heading(/went wrong on our side/);
    server.use(say.resume(), say.task(front));
    await press("Try again");
    await heading(/photo page/);
  });
});

describe("another browser", () => {
  it.each([
    ["before a picture was sent", "free"],
    ["with a new link", ""],
  ] as const)("continues %s", async (_, continues) => {
    go(`/v/${link}`);
    server.use(say.peek({ ...peeked, state: "capturing", continues }), say.open(front));
    render(<App />);
    await heading("Continue where you left off");
    await press("Continue");
    await heading(/photo page/);
  });
});

describe("the earlier tab", () => {
  const show = async () => {
    go(`/v/${link}`);
    server.use(say.peek(peeked), say.open(front));
    render(<App />);
    await press("Start");
    await heading(/photo page/);
    server.use(gone());
  };
  const hear = () => dispatchEvent(new StorageEvent("storage", { key: "bonafide.kept.moved", newValue: session }));

  it("says that the check continues in another one, and takes it back", async () => {
    await show();
    hear();
    await heading("This check continues in another tab or browser");
    expect(screen.queryByRole("button", { name: /photo/ })).toBeNull();
    server.use(say.resume(), say.task(front));
    await press("Continue here instead");
    await heading(/photo page/);
  });

  it("hears it when it is looked at again", async () => {
    await show();
    document.dispatchEvent(new Event("visibilitychange"));
    await heading("This check continues in another tab or browser");
  });

  it("says what to do where taking it back needs a new link", async () => {
    await show();
    hear();
    server.use(say.resume(problem("session.bound_elsewhere", 409)));
    await press("Continue here instead");
    await heading("Started in another browser or tab");
    expect(sessionStorage.getItem(`bonafide.token.${session}`)).toBeNull(); // the link begins as in any other browser
  });
});
