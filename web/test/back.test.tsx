import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { choose, front, heading, picture, press, resume, selfie, user } from "./applicant.tsx";
import { problem, refuse, say, server, task } from "./server.ts";

/** The two ways back: the page's own button, and the browser's. */
const ways = [
  ["the page's button", () => press("Back")],
  ["the browser's button", async () => history.back()],
] as const;

const choosing = task({ step: "choose", position: 2, back: "consent" });
const document_ = { front: /photo page/, selfie: /photo of your face/ };

describe.each(ways)("%s leads back", (_, back) => {
  it("from the picture to the choice, to the consent page, and forward again without a picture lost on the way", async () => {
    const chosen = vi.fn();
    const agreed = vi.fn();
    resume(front);
    server.use(
      http.post("*/v1/applicant/consent", async ({ request }) => {
        agreed(await request.json());
        return HttpResponse.json(choosing);
      }),
      http.put("*/v1/applicant/steps/choose", async ({ request }) => {
        chosen(await request.json());
        return HttpResponse.json(task({ ...front, document_kind: "id_card" }));
      }),
    );
    await heading(document_.front);
    const address = location.pathname;
    await back();
    await heading("Which document will you use?");
    expect(screen.getByText("Step 2 of 4")).toBeDefined();
    await back();
    await heading(/compare your face/);
    expect(screen.getByText("Step 1 of 4")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
    await press("I agree");
    await press(/Identity card/);
    await heading(/front of your identity card/);
    expect(location.pathname).toBe(address);
    expect(chosen.mock.calls).toEqual([[{ document_kind: "id_card" }]]);
    expect(agreed).toHaveBeenCalledTimes(1);
  });

  it("from the wallet to the consent page, not on to the photos", async () => {
    resume({ ...choosing, wallet: "offered" });
    server.use(http.post("*/v1/applicant/steps/wallet/cancel", () => HttpResponse.json(choosing)));
    await heading("Use your digital wallet");
    await back();
    await heading(/compare your face/);
    server.use(http.post("*/v1/applicant/consent", () => HttpResponse.json(task({ ...choosing, wallet: "offered" }))));
    await press("I agree");
    await heading("Use your digital wallet");
    await press("Take photos of my document");
    await heading("Which document will you use?");
  });

  it("from the selfie to the choice of the document, after a question and one call", async () => {
    const aside = vi.fn(() => HttpResponse.json(choosing));
    resume(selfie, http.post("*/v1/applicant/other-document", aside));
    await heading(document_.selfie);
    await back();
    await heading("Use another document?");
    await back();
    await heading(document_.selfie);
    await back();
    await heading("Use another document?");
    await press("Continue the check");
    await heading(document_.selfie);
    expect(aside).not.toHaveBeenCalled();
    await back();
    await heading("Use another document?");
    await press("Use another document");
    await heading("Which document will you use?");
    expect(aside).toHaveBeenCalledTimes(1);
  });

  it("from a picture that was taken, and from one that is being sent, which is broken off", async () => {
    resume(front);
    const sent = vi.fn();
    server.use(
      http.put("*/v1/applicant/steps/document_front", async () => {
        sent();
        return refuse(problem("unavailable", 503)); // and again, until the person goes back
      }),
    );
    await heading(document_.front);
    await choose(picture());
    await heading("Can you read every line?");
    await back();
    await heading(document_.front);
    await choose(picture());
    await press("Use this photo");
    await heading("Waiting for a connection");
    const before = sent.mock.calls.length;
    await back();
    await heading(document_.front);
    await new Promise((done) => setTimeout(done, 1500));
    expect(sent.mock.calls.length).toBe(before);
  });

  it("from a picture that arrived although it was broken off, to where the server is", async () => {
    resume(front);
    server.use(http.put("*/v1/applicant/steps/document_front", () => refuse(problem("unavailable", 503))));
    await heading(document_.front);
    await choose(picture());
    await press("Use this photo");
    await heading("Waiting for a connection");
    server.use(say.task(selfie));
    await back();
    await heading(document_.selfie);
  });

  it("from another step where the server says that this one is over", async () => {
    resume(
      selfie,
      http.post("*/v1/applicant/other-document", () => refuse(problem("capture.out_of_order", 409))),
    );
    await heading(document_.selfie);
    await back();
    await heading("Use another document?");
    server.use(say.task(task({ state: "wait", step: "" })), say.events(task({ state: "wait", step: "" })));
    await press("Use another document");
    await heading("We're checking your photos");
  });
});

describe("the browser's back button", () => {
  it("asks before the first step whether to stop, and never shows another page", async () => {
    const withdrawn = vi.fn();
    resume(task(), http.post("*/v1/applicant/withdraw", withdrawn));
    await heading(/compare your face/);
    const address = location.pathname;
    for (let n = 0; n < 2; n++) {
      history.back();
      await heading("Stop the check?");
      history.back(); // closes the question
      await waitFor(() => expect(screen.queryByRole("heading", { name: "Stop the check?" })).toBeNull());
    }
    await heading(/compare your face/);
    expect([location.pathname, withdrawn.mock.calls.length]).toEqual([address, 0]);
  });

  it("stays where nothing can be gone back to, and a step forward shows nothing twice", async () => {
    resume(task({ state: "wait", step: "", position: 0 }));
    server.use(say.events(task({ state: "wait", step: "" })));
    await heading("We're checking your photos");
    history.back();
    history.forward();
    await heading("We're checking your photos");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is let go at the end", async () => {
    const left = vi.spyOn(history, "back").mockReturnValue();
    resume(task({ state: "approved", step: "" }));
    await heading("You are verified");
    history.go(-1); // as the person does
    await waitFor(() => expect(left).toHaveBeenCalledTimes(1));
    left.mockRestore();
  });
});

describe("the menu", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is opened, moved into and closed by key", async () => {
    resume(front);
    await heading(document_.front);
    const more = screen.getByRole("button", { name: "More" });
    expect([more.getAttribute("aria-expanded"), screen.queryByRole("menuitem")]).toEqual(["false", null]);
    more.focus();
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(await screen.findByRole("menuitem", { name: "Stop the check" }));
    await user.keyboard("{Escape}");
    expect([document.activeElement, screen.queryByRole("menuitem")]).toEqual([more, null]);
    await user.keyboard("{Enter}{Enter}");
    await heading("Stop the check?");
  });

  it("closes when something else is pressed, and is gone where nothing can be stopped", async () => {
    const { unmount } = resume(front);
    await press("More");
    await user.click(await heading(document_.front));
    await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
    unmount();
    resume(task({ state: "approved", step: "" }));
    await heading("You are verified");
    expect(screen.queryByRole("button", { name: "More" })).toBeNull();
  });
});
