import { render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HandoffStatus, Task } from "../src/api/wire.ts";
import { App } from "../src/applicant/App.tsx";
import { front as documentFront, go, heading, press, resume, selfie, stop } from "./applicant.tsx";
import { peeked, problem, refuse, say, server, session, task } from "./server.ts";

const front = { ...documentFront, return_url: "https://bank.example/x" };
const status = (more: Partial<HandoffStatus>): HandoffStatus => ({
  session,
  state: "step",
  position: 3,
  total: 4,
  notices: ["liveness_not_required"],
  ...more,
});

/** Live updates that a test writes into, and how often they were asked for. */
function live() {
  let connections = 0;
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  server.use(
    http.get("*/v1/applicant/events", () => {
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          connections++;
          out = stream;
        },
      });
      return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
    }),
  );
  let n = 0;
  const tell = async (event: "task" | "handoff", data: Task | HandoffStatus) => {
    await vi.waitFor(() => expect(out).toBeDefined());
    n++;
    out?.enqueue(new TextEncoder().encode(`id: evt_${n}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  };
  return { tell, asked: (times: number) => vi.waitFor(() => expect(connections).toBe(times)) };
}

const offered = (minutes = 30) =>
  http.post("*/v1/applicant/handoff", () =>
    HttpResponse.json({
      url: "https://id.example/v/secret",
      expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
      qr: { size: 21, path: "M0 0h7v1h-7z" },
    }),
  );

const gone = () => refuse(problem("session.bound_elsewhere", 409));

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe("on the computer", () => {
  it("shows the code, follows the phone, and ends with the verdict and the way back to who asked", async () => {
    resume(front);
    server.use(offered());
    const { tell, asked } = live();
    await heading(/photo page/);
    await press("Continue on your phone");
    await screen.findByRole("img", { name: /QR code/ });
    expect(screen.getByText(/30 more minutes/)).toBeDefined();
    await tell("task", front); // still here
    await tell("handoff", status({}));
    await heading("Your phone is connected");
    await asked(2);
    await tell("handoff", status({ position: 4 }));
    expect((await screen.findAllByText("Step 4 of 4")).length).toBeGreaterThan(0);
    await tell("handoff", status({ state: "wait", position: 0 }));
    await heading("Sent from your phone");
    expect(screen.queryByText("Verified")).toBeNull();
    await tell("handoff", status({ state: "approved", position: 0 }));
    await heading("You are verified");
    expect(screen.getByRole("link", { name: /bank\.example/ }).getAttribute("href")).toBe("https://bank.example/x");
    expect(screen.queryByText(/live-person challenge/)).toBeNull();
  });

  it("goes on when the phone gives the check back", async () => {
    resume(front, http.get("*/v1/applicant/task", gone));
    const { tell } = live();
    await tell("handoff", status({}));
    await heading("Your phone is connected");
    await tell("task", selfie);
    await heading(/photo of your face/);
  });

  it("takes the check back from the phone", async () => {
    resume(front, http.get("*/v1/applicant/task", gone));
    const { tell } = live();
    const taken = vi.fn(() => HttpResponse.json(selfie));
    server.use(http.post("*/v1/applicant/handoff/take", taken));
    await tell("handoff", status({}));
    await heading("Your phone is connected");
    await press("Continue here instead");
    expect(taken).toHaveBeenCalledOnce();
    await tell("task", selfie);
    await heading(/photo of your face/);
  });

  it("offers to take it back once more when that failed", async () => {
    resume(front, http.get("*/v1/applicant/task", gone));
    const { tell } = live();
    server.use(http.post("*/v1/applicant/handoff/take", () => HttpResponse.error()));
    await tell("handoff", status({}));
    await press("Continue here instead");
    await vi.waitFor(() =>
      expect(screen.getByRole("button", { name: "Continue here instead" }).hasAttribute("disabled")).toBe(false),
    );
  });

  it("takes the code back", async () => {
    resume(front);
    const taken = vi.fn(() => HttpResponse.json(front));
    server.use(offered(), http.delete("*/v1/applicant/handoff", taken));
    live();
    await press("Continue on your phone");
    await press("Continue here instead");
    await heading(/photo page/);
    expect(taken).toHaveBeenCalledOnce();
  });

  it("offers a new code when the old one has run out", async () => {
    resume(front);
    server.use(offered(-1));
    live();
    await press("Continue on your phone");
    await heading("This code no longer works");
    server.use(offered());
    await press("Create a new code");
    await screen.findByRole("img", { name: /QR code/ });
  });

  it("says that it is open elsewhere when it may not watch", async () => {
    resume(front, http.get("*/v1/applicant/task", gone), http.get("*/v1/applicant/events", gone));
    await heading(/another browser/);
  });
});

describe("on a computer, before the document is asked for", () => {
  const chooses = task({ step: "choose", position: 2, back: "consent" });
  const desk = () => {
    vi.stubGlobal("isSecureContext", true);
    vi.stubGlobal("matchMedia", (asked: string) => ({ matches: asked.includes("fine") }));
  };
  const kept = (now: Task) => http.delete("*/v1/applicant/handoff", () => HttpResponse.json(now));
  beforeEach(() => {
    sessionStorage.clear();
    desk();
  });
  afterEach(() => vi.unstubAllGlobals());

  it("the code for the phone comes first, and going on here is remembered in this tab", async () => {
    const { unmount } = resume(chooses, offered(), kept(chooses));
    live();
    await heading("Continue on your phone");
    await screen.findByRole("img", { name: /QR code/ });
    await press("Continue on this device");
    await heading(/Which document/);
    unmount();
    resume(chooses);
    await heading(/Which document/);
  });

  it("back leads to the consent page, and agreeing to the code again", async () => {
    resume(chooses, offered(), kept(chooses));
    server.use(http.post("*/v1/applicant/consent", () => HttpResponse.json(chooses)));
    live();
    await screen.findByRole("img", { name: /QR code/ });
    await press("Back");
    await heading(/compare your face/);
    await press("I agree");
    await screen.findByRole("img", { name: /QR code/ });
  });

  it("a code that cannot be made is no hindrance", async () => {
    resume(
      chooses,
      http.post("*/v1/applicant/handoff", () => refuse(problem("capture.out_of_order", 422))),
    );
    await heading(/Which document/);
  });

  it("it does not come once a picture was sent", async () => {
    resume(selfie);
    await heading(/photo of your face/);
  });

  it("it does not come where the session came from another device", async () => {
    sessionStorage.setItem(`bonafide.came.${session}`, "yes");
    resume(chooses);
    await heading(/Which document/);
  });
});

describe("on the phone", () => {
  const arrived = { ...peeked, state: "capturing" as const, handoff: true };

  it("says that it goes on here, opens on the button, and knows the session in a new tab until it ends", async () => {
    go("/v/code");
    server.use(say.peek(arrived), say.open(front));
    const { unmount } = render(<App />);
    await heading("Continue on this device");
    expect(localStorage).toHaveLength(0);
    await press("Continue here");
    await heading(/photo page/);
    unmount();
    sessionStorage.clear(); // another tab
    go("/v/code");
    server.use(say.peek(problem("handoff.used", 409)), say.resume(), say.task(front));
    render(<App />);
    await heading(/photo page/);
    server.use(http.post("*/v1/applicant/withdraw", () => HttpResponse.json(task({ state: "cancelled", step: "" }))));
    await stop();
    await press("Stop for good");
    await heading("This verification was stopped");
    expect(localStorage).toHaveLength(0);
  });

  it("gives the check back, and keeps nothing of it", async () => {
    go("/v/code");
    server.use(
      say.peek(arrived),
      say.open(front),
      http.post("*/v1/applicant/handoff/back", () => new HttpResponse(null, { status: 204 })),
    );
    render(<App />);
    await press("Continue here");
    await press("Go back to the other device");
    await heading("Continue on the other device");
    expect(localStorage).toHaveLength(0);
  });

  it.each([
    ["a used code", "handoff.used", 409, "This code was already used"],
    ["an old code", "handoff.expired", 410, "This code no longer works"],
  ] as const)("says what %s is", async (_, code, number, title) => {
    go("/v/code");
    server.use(say.peek(problem(code, number)));
    render(<App />);
    await heading(title);
  });
});
