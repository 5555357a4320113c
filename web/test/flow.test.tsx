import { render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { App, placeOf } from "../src/applicant/App.tsx";
import { choose, front, go, heading, picture, press, resume, selfie, stop } from "./applicant.tsx";
import { peeked, problem, refuse, say, server, session, task } from "./server.ts";

describe("an address", () => {
  it("has two forms", () => {
    expect(placeOf("/v/aB-9_x")).toEqual({ at: "start", link: "aB-9_x" });
    expect(placeOf(`/verify/${session}`)).toEqual({ at: "flow", session });
  });
  it.each([
    `/verify/${session}/..%2F..%2Fv%2Flink`,
    `/verify/${session}/..%2Fother`,
    "/v/link/..%2F..%2Fv/other",
    "/v/link%2F..%2Fother",
    "/v/link/",
    "/v/link/more",
    "//v/link",
    "/v/",
    "/console",
  ])("of no other form is anywhere: %s", (path) => {
    expect(placeOf(path)).toEqual({ at: "nowhere" });
  });
});

describe("the start screen", () => {
  beforeEach(() => {
    localStorage.clear();
    go("/v/secret-link");
  });

  it("only looks until the button is pressed, then opens the session once and moves to its address", async () => {
    const opened = vi.fn();
    server.use(
      say.peek(peeked),
      http.post("*/v1/applicant/open", async ({ request }) => {
        opened(await request.json());
        return HttpResponse.json({ token: "token", key: "key", task: task() });
      }),
    );
    render(<App />);
    await heading("Verify your identity for Harbour Bank");
    expect(opened).not.toHaveBeenCalled();
    await press("Start");
    await heading(/compare your face/);
    expect(opened.mock.calls).toEqual([[{ link: "secret-link" }]]);
    expect(location.pathname).toBe(`/verify/${session}`);
    expect(sessionStorage.getItem(`bonafide.token.${session}`)).toBe("token");
  });

  it.each([
    ["an expired link", problem("session.expired", 410), "This link has expired"],
    ["an unknown link", problem("not_found", 404), "This link does not work"],
    [
      "a session that another browser opened",
      { ...peeked, state: "capturing" as const, continues: "proof" as const },
      /another browser/,
    ],
    ["a finished session", { ...peeked, state: "approved" as const }, /already complete/],
    ["a fault of the server", problem("internal", 500), /went wrong on our side/],
  ])("says what %s is", async (_, answer, title) => {
    server.use(say.peek(answer));
    render(<App />);
    await heading(title);
    expect(screen.queryByRole("button", { name: "Start" })).toBeNull();
  });

  it("says that the session was opened elsewhere when opening loses the race", async () => {
    server.use(
      say.peek(peeked),
      http.post("*/v1/applicant/open", () => refuse(problem("session.bound_elsewhere", 409))),
    );
    render(<App />);
    await press("Start");
    await heading(/another browser/);
  });
});

describe("the flow", () => {
  it("shows the reason of a refusal with one remedy, and sends the next picture under a new attempt", async () => {
    resume(front);
    const attempts: (FormDataEntryValue | null)[] = [];
    server.use(
      http.put("*/v1/applicant/steps/document_front", async ({ request }) => {
        attempts.push((await request.formData()).get("attempt"));
        return attempts.length === 1
          ? refuse(problem("capture.blurred", 422, "The picture is too blurred to read.", "Hold the phone still."))
          : HttpResponse.json(selfie);
      }),
    );
    await heading(/photo page/);
    server.use(say.task({ ...front, attempts_left: 2 }));
    await choose(picture());
    await press("Use this photo");
    expect((await screen.findByRole("alert")).textContent).toContain("Hold the phone still.");
    expect(screen.getByText("2 tries left")).toBeDefined();
    await choose(picture());
    await press("Use this photo");
    await heading(/photo of your face/);
    expect(new Set(attempts).size).toBe(2);
  });

  it("sends the same picture under the same attempt when the server is busy", async () => {
    resume(front);
    const attempts: (FormDataEntryValue | null)[] = [];
    server.use(
      http.put("*/v1/applicant/steps/document_front", async ({ request }) => {
        attempts.push((await request.formData()).get("attempt"));
        return attempts.length === 1 ? refuse(problem("unavailable", 503)) : HttpResponse.json(selfie);
      }),
    );
    await heading(/photo page/);
    await choose(picture());
    await press("Use this photo");
    await heading("Waiting for a connection");
    await heading(/photo of your face/);
    expect(attempts).toHaveLength(2);
    expect(attempts[0]).toBe(attempts[1]);
  });

  it("asks the server where it is when the step is out of order", async () => {
    resume(front);
    server.use(http.put("*/v1/applicant/steps/document_front", () => refuse(problem("capture.out_of_order", 409))));
    await heading(/photo page/);
    server.use(say.task(selfie));
    await choose(picture());
    await press("Use this photo");
    await heading(/photo of your face/);
  });

  it("refuses a file that is no picture without sending it", async () => {
    resume(front);
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no picture")));
    await heading(/photo page/);
    await choose(new File(["text"], "note.png", { type: "image/png" }));
    expect((await screen.findByRole("alert")).textContent).toContain("not a picture");
    vi.stubGlobal("createImageBitmap", async () => ({ width: 1600, height: 1200, close: () => undefined }));
  });

  it("says what to do with a photo that only other browsers open", async () => {
    resume(front);
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no picture")));
    await heading(/photo page/);
    await choose(new File(["ftypheic"], "IMG_1.HEIC", { type: "image/jpeg" }));
    expect((await screen.findByRole("alert")).textContent).toContain("save it as a JPEG");
    vi.stubGlobal("createImageBitmap", async () => ({ width: 1600, height: 1200, close: () => undefined }));
  });

  it("sends a PDF as it is, as a file, and shows its name before", async () => {
    resume(front);
    const sent: unknown[] = [];
    server.use(
      http.put("*/v1/applicant/steps/document_front", async ({ request }) => {
        const form = await request.formData();
        const file = form.get("picture");
        sent.push(form.get("source"), file && typeof file === "object" ? file.type : file);
        return HttpResponse.json(selfie);
      }),
    );
    await heading(/photo page/);
    await choose(new File(["%PDF-1.4"], "my passport.pdf", { type: "application/pdf" }));
    await heading("Send this PDF?");
    expect(screen.getByText("my passport.pdf")).toBeDefined();
    await press("Send this file");
    await heading(/photo of your face/);
    expect(sent).toEqual(["file", "application/pdf"]);
  });

  it("names JPEG and not HEIC, so that phones convert, and PDF for documents only", async () => {
    resume(front);
    await heading(/photo page/);
    const accept = () => document.querySelector<HTMLInputElement>('input[type="file"]')?.accept;
    expect(accept()).toBe("image/jpeg,image/png,image/webp,application/pdf");
    server.use(http.put("*/v1/applicant/steps/document_front", () => HttpResponse.json(selfie)));
    await choose(picture());
    await press("Use this photo");
    await heading(/photo of your face/);
    expect(accept()).toBe("image/jpeg,image/png,image/webp");
  });

  it("says that a picture was lost when the page was loaded again before it was sent", async () => {
    const before = resume(front);
    await heading(/photo page/);
    expect(screen.queryByText(/loaded again/)).toBeNull();
    await choose(picture());
    await heading("Can you read every line?");
    before.unmount();
    resume(front);
    await heading(/photo page/);
    expect(screen.getByText(/loaded again before your last picture was sent/)).toBeDefined();
    expect(document.title).toMatch(/photo page.* · Step 3 of 4 · Harbour Bank/);
    await choose(picture());
    await press("Take it again");
    await heading(/photo page/);
    expect(screen.queryByText(/loaded again/)).toBeNull();
  });

  it.each([
    ["NotAllowedError", "The camera is not allowed"],
    ["NotFoundError", "No camera was found"],
    ["NotReadableError", "Another app is using the camera"],
  ])("says how to go on when the camera answers %s", async (name, title) => {
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: () => Promise.reject(new DOMException("refused", name)) },
    });
    resume(front);
    await press("Open the camera");
    await heading(title);
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  });

  it("offers no file where only the camera counts, also where the camera cannot be used", async () => {
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: () => Promise.reject(new DOMException("refused", "NotFoundError")) },
    });
    resume({ ...front, live_capture: true });
    await heading(/photo page/);
    expect(document.querySelector('input[type="file"]')).toBeNull();
    await press("Open the camera");
    await heading("No camera was found");
    expect(document.querySelector('input[type="file"]')).toBeNull();
    expect(screen.getByRole("button", { name: "Continue on your phone" })).toBeDefined();
  });

  it("says that a page without https gets no camera", async () => {
    vi.stubGlobal("isSecureContext", false);
    resume(front);
    await press("Open the camera");
    await heading("The camera needs a secure page");
  });

  it("the back button leads from what was taken to the step, not out of the flow", async () => {
    resume(front);
    await heading(/photo page/);
    const address = location.pathname;
    await choose(picture());
    await heading("Can you read every line?");
    history.back();
    await heading(/photo page/);
    expect(location.pathname).toBe(address);
    await choose(picture());
    await heading("Can you read every line?");
    history.back();
    await heading(/photo page/);
  });

  it("asks the server where it is when the page was long out of sight, and follows it", async () => {
    resume(front);
    await heading(/photo page/);
    server.use(say.task(selfie));
    const now = vi.spyOn(performance, "now");
    const see = (hidden: boolean, at: number) => {
      now.mockReturnValue(at);
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    };
    see(true, 1_000);
    see(false, 20_000);
    expect(screen.queryByRole("heading", { name: /photo of your face/ })).toBeNull();
    see(true, 30_000);
    see(false, 90_000);
    now.mockRestore();
    await heading(/photo of your face/);
  });

  it("a page that the browser brings back from its memory asks too", async () => {
    resume(front);
    await heading(/photo page/);
    server.use(say.task(task({ state: "expired", step: "" })));
    const shown = new Event("pageshow");
    Object.defineProperty(shown, "persisted", { value: true });
    dispatchEvent(shown);
    await heading(/expired/);
  });

  it("waits for the verdict by live updates, and neither submitted nor reviewed looks verified", async () => {
    resume(task({ state: "wait", step: "", position: 0 }));
    server.use(say.events(task({ state: "wait", step: "" })));
    await heading("We're checking your photos");
    expect(screen.queryByText("Verified")).toBeNull();
  });

  it.each([
    ["approved", "You are verified", "Verified"],
    ["review", "Someone is reviewing your documents", "In review"],
    ["declined", "We couldn't verify you", "Not verified"],
  ] as const)(
    "a live update brings the result %s, without what only the integrator has to know",
    async (state, title, badge) => {
      resume(task({ state: "wait", step: "", position: 0 }));
      server.use(say.events(task({ state, step: "" })));
      await heading(title);
      expect(screen.getByText(badge)).toBeDefined();
      expect(screen.queryByText(/live-person challenge|not checked/i)).toBeNull();
    },
  );

  it("goes back to a step that the server asks for again, with the reason", async () => {
    resume(task({ state: "wait", step: "", position: 0 }));
    server.use(
      say.events({
        ...selfie,
        attempts_left: 1,
        problem: { code: "face.mismatch", step: "selfie", title: "Not alike.", remedy: "Find even light." },
      }),
    );
    expect((await screen.findByRole("alert")).textContent).toContain("Find even light.");
    expect(screen.getByText("1 try left")).toBeDefined();
  });

  it("asks twice before it stops for good", async () => {
    resume(front);
    const withdrawn = vi.fn(() => HttpResponse.json(task({ state: "cancelled", step: "" })));
    server.use(http.post("*/v1/applicant/withdraw", withdrawn));
    await stop();
    expect(withdrawn).not.toHaveBeenCalled();
    await press("Stop for good");
    await heading("This verification was stopped");
  });

  it("a tab without the token says where to go on", async () => {
    go(`/verify/${session}`);
    render(<App />);
    await heading(/another browser/);
  });

  it("a token that the server no longer takes says the same", async () => {
    resume(front);
    server.use(http.get("*/v1/applicant/task", () => refuse(problem("auth.invalid", 401))));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toBeDefined());
    await heading(/another browser|photo page/);
  });
});
