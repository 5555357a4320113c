import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Task } from "../src/api/wire.ts";
import { App, placeOf } from "../src/applicant/App.tsx";
import { peeked, problem, refuse, say, server, session, task } from "./server.ts";

const user = userEvent.setup();
const go = (path: string) => history.replaceState(null, "", path);
const press = async (name: string | RegExp) => user.click(await screen.findByRole("button", { name }));
const heading = (name: string | RegExp) => screen.findByRole("heading", { name }, { timeout: 15_000 });
const picture = () => new File(["picture"], "passport.jpg", { type: "image/jpeg" });

async function choose(file: File): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error("no file field");
  await user.upload(input, file);
}

/** A tab that opened the session before and comes back to it. */
function resume(now: Task): void {
  sessionStorage.setItem(`bonafide.token.${session}`, "token");
  sessionStorage.setItem(`bonafide.brand.${session}`, "lHarbour Bank");
  server.use(say.task(now));
  go(`/verify/${session}`);
  render(<App />);
}

const front = task({ step: "document_front", position: 3, document_kind: "passport" });
const selfie = task({ step: "selfie", position: 4, document_kind: "passport" });

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
  beforeEach(() => go("/v/secret-link"));

  it("only looks until the button is pressed, then opens the session once and moves to its address", async () => {
    const opened = vi.fn();
    server.use(
      say.peek(peeked),
      http.post("*/v1/applicant/open", async ({ request }) => {
        opened(await request.json());
        return HttpResponse.json({ token: "token", task: task() });
      }),
    );
    render(<App />);
    await heading("Harbour Bank asks you to confirm who you are");
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
    ["a session that another browser opened", { ...peeked, state: "capturing" as const }, /another browser/],
    ["a finished session", { ...peeked, state: "approved" as const }, /already finished/],
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
  it("goes from consent to the choice of the document as the server says", async () => {
    resume(task());
    const answers: unknown[] = [];
    server.use(
      http.post("*/v1/applicant/consent", async ({ request }) => {
        answers.push(await request.json());
        return HttpResponse.json(task({ step: "choose", position: 2 }));
      }),
      http.put("*/v1/applicant/steps/choose", async ({ request }) => {
        answers.push(await request.json());
        return HttpResponse.json(front);
      }),
    );
    await press("I agree");
    await press(/^Passport/);
    await heading(/photo page of your passport/);
    expect(answers).toEqual([
      { decision: "given", about: "biometrics", text_version: "biometric-2026-11-2", locale: "en" },
      { document_kind: "passport" },
    ]);
  });

  describe("where several countries are accepted", () => {
    const asked = task({ step: "choose", position: 2, asks_country: true });
    const field = () => screen.findByRole("combobox", { name: "Country or organisation" });
    const list = () => within(screen.getByRole("listbox"));
    const options = () =>
      list()
        .queryAllByRole("option")
        .map(({ textContent }) => textContent);
    beforeEach(() => server.use(say.issuers()));

    it("asks for the country by keyboard, then for the kind, and sends both", async () => {
      resume(asked);
      const sent = vi.fn();
      server.use(
        http.put("*/v1/applicant/steps/choose", async ({ request }) => {
          sent(await request.json());
          return HttpResponse.json(front);
        }),
      );
      await heading(/Which country/);
      const box = await field();
      await waitFor(() => expect(options()).toContain("Norway"));
      expect(options()).not.toContain("France"); // not accepted, and nobody looked for it
      await user.type(box, "n");
      expect(screen.getByText("2 found")).toBeDefined();
      expect(options()).toEqual(["Netherlands", "Norway"]);
      await user.keyboard("{Enter}");
      await heading(/Which country/); // of two nothing is taken unasked
      await user.keyboard("{ArrowDown}{ArrowDown}");
      const at = box.getAttribute("aria-activedescendant") ?? "";
      expect(document.getElementById(at)?.textContent).toBe("Norway");
      expect(list().getByRole("option", { selected: true }).textContent).toBe("Norway");
      await user.keyboard("{Enter}");
      await heading(/Which document/);
      expect(screen.getByText("Issued by: Norway")).toBeDefined();
      await press("Change");
      await user.click(await screen.findByRole("option", { name: "Netherlands" }));
      await press(/^Passport/);
      await heading(/photo page of your passport/);
      expect(sent.mock.calls).toEqual([[{ document_kind: "passport", country: "NLD" }]]);
    });

    it("says that a country is not accepted before anything is photographed", async () => {
      resume(asked);
      await user.type(await field(), "franc");
      await user.click(await screen.findByRole("option", { name: /France/ }));
      expect(screen.getByRole("alert").textContent).toMatch(
        /France: documents are not accepted here.*ask Harbour Bank/,
      );
      await heading(/Which country/);
      await user.clear(await field());
      expect(screen.getByRole("alert").textContent).toBe("");
    });

    it("says what the server refuses, and stays where it can be mended", async () => {
      resume(asked);
      server.use(
        http.put("*/v1/applicant/steps/choose", () =>
          refuse(problem("document.country_not_accepted", 422, "Not from there.", "Another one.")),
        ),
      );
      await user.click(await screen.findByRole("option", { name: "Norway" }));
      await press(/^Passport/);
      await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
      await heading(/Which document/);
    });
  });

  describe("where a face is not needed", () => {
    const asksDocument = task({ face_optional: true, notices: ["face_not_compared"], total: 3 });
    const chooses = task({ step: "choose", position: 2, total: 3, notices: ["face_not_compared"] });
    /** Answers the consent page, in order. */
    const answering = (...next: Task[]) => {
      const sent: unknown[] = [];
      server.use(
        http.post("*/v1/applicant/consent", async ({ request }) => {
          sent.push(await request.json());
          return HttpResponse.json(next[sent.length - 1]);
        }),
      );
      return sent;
    };

    it("who declines is asked about the document, may think again, and goes on", async () => {
      resume(task({ face_optional: true }));
      const sent = answering(asksDocument, chooses);
      await press("Go on without my face");
      await heading("May we check your document?");
      await press("Compare my face after all");
      expect(await heading(/compare your face/)).toBe(document.activeElement);
      await press("Go on without my face");
      await heading("May we check your document?");
      await press("Compare my face after all");
      await heading(/compare your face/);
      history.back();
      await heading("May we check your document?");
      expect(sent).toHaveLength(1); // reading a page says nothing
      await press("I agree");
      await heading(/Which document/);
      expect(sent).toEqual([
        { decision: "declined", about: "biometrics", text_version: "biometric-optional-2026-11-1", locale: "en" },
        { decision: "given", about: "document", text_version: "document-2026-11-1", locale: "en" },
      ]);
    });

    it("who thinks again reads what they agree to before that is recorded, by keyboard as well", async () => {
      resume(asksDocument);
      const sent = answering(task({ step: "choose", position: 2 }));
      (await screen.findByRole("button", { name: "Compare my face after all" })).focus();
      await user.keyboard("{Enter}");
      await heading(/compare your face/);
      expect(screen.queryByRole("button", { name: /after all/ })).toBeNull();
      expect(sent).toEqual([]);
      (await screen.findByRole("button", { name: "I agree" })).focus();
      await user.keyboard("{Enter}");
      await heading(/Which document/);
      expect(sent).toEqual([
        { decision: "given", about: "biometrics", text_version: "biometric-optional-2026-11-1", locale: "en" },
      ]);
    });

    it("consent is taken back at the selfie, after a question", async () => {
      resume({ ...selfie, face_optional: true });
      const sent = answering({ ...asksDocument, face_optional: false });
      await press("Go on without my face");
      const dialog = await screen.findByRole("dialog");
      expect(dialog.textContent).toMatch(/pictures you took of your face are deleted/);
      expect(sent).toEqual([]);
      await user.click(within(dialog).getByRole("button", { name: "Go on without my face" }));
      await heading("May we check your document?");
      expect(screen.queryByRole("button", { name: /after all/ })).toBeNull();
      expect(sent).toMatchObject([{ decision: "declined", about: "biometrics" }]);
    });

    it("nothing of it is offered where the workflow does not", async () => {
      resume(selfie);
      await heading(/picture of your face/);
      expect(screen.queryByRole("button", { name: /without my face/ })).toBeNull();
      await press("Stop the check");
      expect(screen.queryByRole("button", { name: /without my face/ })).toBeNull();
    });
  });

  it("ends plainly when consent is declined", async () => {
    resume(task());
    server.use(
      http.post("*/v1/applicant/consent", () =>
        HttpResponse.json(
          task({
            state: "cancelled",
            step: "",
            problem: { code: "consent.declined", step: "consent", title: "", remedy: "" },
          }),
        ),
      ),
    );
    await press("I do not agree");
    await heading(/did not agree/);
  });

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
    await press("Use this picture");
    expect((await screen.findByRole("alert")).textContent).toContain("Hold the phone still.");
    expect(screen.getByText("2 tries left")).toBeDefined();
    await choose(picture());
    await press("Use this picture");
    await heading(/picture of your face/);
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
    await press("Use this picture");
    await heading("Waiting for the connection");
    await heading(/picture of your face/);
    expect(attempts).toHaveLength(2);
    expect(attempts[0]).toBe(attempts[1]);
  });

  it("asks the server where it is when the step is out of order", async () => {
    resume(front);
    server.use(http.put("*/v1/applicant/steps/document_front", () => refuse(problem("capture.out_of_order", 409))));
    await heading(/photo page/);
    server.use(say.task(selfie));
    await choose(picture());
    await press("Use this picture");
    await heading(/picture of your face/);
  });

  it("refuses a file that is no picture without sending it", async () => {
    resume(front);
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no picture")));
    await heading(/photo page/);
    await choose(new File(["text"], "note.png", { type: "image/png" }));
    expect((await screen.findByRole("alert")).textContent).toContain("not a picture");
    vi.stubGlobal("createImageBitmap", async () => ({ width: 1600, height: 1200, close: () => undefined }));
  });

  it.each([
    ["NotAllowedError", "The camera is not allowed"],
    ["NotFoundError", "No camera was found"],
    ["NotReadableError", "Another app uses the camera"],
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
    expect(screen.queryByRole("heading", { name: /picture of your face/ })).toBeNull();
    see(true, 30_000);
    see(false, 90_000);
    now.mockRestore();
    await heading(/picture of your face/);
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
    await heading("We are checking your pictures");
    expect(screen.queryByText("Verified")).toBeNull();
  });

  it.each([
    ["approved", "You are verified", "Verified"],
    ["review", "A person is looking at it", "Being reviewed"],
    ["declined", "We cannot verify you with this", "Not verified"],
  ] as const)(
    "a live update brings the result %s, with what was not checked beside it",
    async (state, title, badge) => {
      resume(task({ state: "wait", step: "", position: 0 }));
      server.use(say.events(task({ state, step: "" })));
      await heading(title);
      expect(screen.getByText(badge)).toBeDefined();
      expect(screen.getByText(/live-person challenge/)).toBeDefined();
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
    await press("Stop the check");
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
