import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Task } from "../src/api/wire.ts";
import { front, heading, press, resume, selfie, stop, user } from "./applicant.tsx";
import { problem, refuse, say, server, task } from "./server.ts";

describe("what the applicant says before a picture", () => {
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
    await heading(/passport's photo page/);
    expect(answers).toEqual([
      { decision: "given", about: "biometrics", text_version: "biometric-2026-11-3", locale: "en" },
      { document_kind: "passport" },
    ]);
  });

  describe("where several countries are accepted", () => {
    const asked = task({ step: "choose", position: 2, asks_country: true });
    const field = () => screen.findByRole("combobox", { name: "Which country issued your document?" });
    const list = () => within(screen.getByRole("listbox"));
    const options = () =>
      list()
        .queryAllByRole("option")
        .map(({ textContent }) => textContent);
    beforeEach(() => server.use(say.issuers()));
    afterEach(() => vi.restoreAllMocks());

    it("asks for the country by keyboard, then for the kind, and sends both", async () => {
      resume(asked);
      const sent = vi.fn();
      server.use(
        http.put("*/v1/applicant/steps/choose", async ({ request }) => {
          sent(await request.json());
          return HttpResponse.json(front);
        }),
      );
      await heading(/Which document/);
      const box = await field();
      expect(screen.queryByRole("button", { name: /^Passport/ })).toBeNull(); // one question at a time
      await waitFor(() => expect(options()).toContain("Norway"));
      expect(options()).not.toContain("France"); // not accepted, and nobody looked for it
      await user.type(box, "n");
      expect(screen.getByText("2 found")).toBeDefined();
      expect(options()).toEqual(["Netherlands", "Norway"]);
      await user.keyboard("{Enter}");
      expect(await field()).toBe(box); // of two nothing is taken unasked
      await user.keyboard("{ArrowDown}{ArrowDown}");
      const at = box.getAttribute("aria-activedescendant") ?? "";
      expect(document.getElementById(at)?.textContent).toBe("Norway");
      expect(list().getByRole("option", { selected: true }).textContent).toBe("Norway");
      await user.keyboard("{Enter}");
      expect(await screen.findByText("Issued by: Norway")).toBe(document.activeElement); // read out, and pressed by no second Enter
      await press("Change");
      expect(await field()).toBe(document.activeElement);
      await user.click(await screen.findByRole("option", { name: "Netherlands" }));
      await press(/^Passport/);
      await heading(/passport's photo page/);
      expect(sent.mock.calls).toEqual([[{ document_kind: "passport", country: "NLD" }]]);
    });

    it("says that a country is not accepted before anything is photographed", async () => {
      resume(asked);
      await user.type(await field(), "franc");
      await user.click(await screen.findByRole("option", { name: /France/ }));
      expect(screen.getByRole("alert").textContent).toMatch(
        /Documents from France are not accepted here.*ask Harbour Bank/,
      );
      await user.keyboard("{Escape}"); // from the option, where the click left the focus
      expect(await field()).toBe(document.activeElement);
      expect(await field()).toHaveProperty("value", "");
      expect(screen.getByRole("alert").textContent).toBe("");
    });

    it("presets the country that the browser's languages suggest, and goes back from its list to the kinds", async () => {
      vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-FR", "nb"]); // France is not accepted
      resume(asked);
      const agreed = vi.fn(() => HttpResponse.json(asked));
      server.use(http.post("*/v1/applicant/consent", agreed));
      await screen.findByText("Issued by: Norway");
      expect(screen.queryByRole("combobox", { name: /Which country/ })).toBeNull();
      await press("Change");
      await field();
      history.back();
      await screen.findByText("Issued by: Norway");
      history.back();
      await heading(/compare your face/);
      await press("I agree");
      await screen.findByText("Issued by: Norway");
    });

    it("presets the country that was said before, and asks no kind where only one is accepted", async () => {
      const sent = vi.fn();
      resume({ ...asked, country: "NOR", accepts: ["passport"] });
      server.use(
        http.put("*/v1/applicant/steps/choose", async ({ request }) => {
          sent(await request.json());
          return HttpResponse.json(front);
        }),
      );
      await screen.findByText("Issued by: Norway");
      expect(screen.getAllByRole("button", { name: /photo/ })).toHaveLength(1);
      await press("Change");
      await user.click(await screen.findByRole("option", { name: "Netherlands" }));
      await heading(/passport's photo page/);
      expect(sent.mock.calls).toEqual([[{ document_kind: "passport", country: "NLD" }]]);
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
      await press("Continue without my face");
      await heading("May we check your document?");
      await press("Compare my face after all");
      expect(await heading(/compare your face/)).toBe(document.activeElement);
      await press("Continue without my face");
      await heading("May we check your document?");
      await press("Compare my face after all");
      await heading(/compare your face/);
      history.back();
      await heading("May we check your document?");
      expect(sent).toHaveLength(1); // reading a page says nothing
      await press("I agree");
      await heading(/Which document/);
      expect(sent).toEqual([
        { decision: "declined", about: "biometrics", text_version: "biometric-optional-2026-11-2", locale: "en" },
        { decision: "given", about: "document", text_version: "document-2026-11-2", locale: "en" },
      ]);
    });

    it("who thinks again reads what they agree to before that is recorded, by keyboard as well", async () => {
      resume(asksDocument);
      const sent = answering(task({ step: "choose", position: 2 }));
      (await screen.findByRole("button", { name: "Compare my face after all" })).focus();
      await user.keyboard("{Enter}");
      await heading(/compare your face/);
      expect(screen.getByText("Step 1 of 4")).toBeDefined(); // the step of the face comes with agreeing
      expect(screen.queryByRole("button", { name: /after all/ })).toBeNull();
      expect(sent).toEqual([]);
      (await screen.findByRole("button", { name: "I agree" })).focus();
      await user.keyboard("{Enter}");
      await heading(/Which document/);
      expect(sent).toEqual([
        { decision: "given", about: "biometrics", text_version: "biometric-optional-2026-11-2", locale: "en" },
      ]);
    });

    it("consent is taken back at the selfie, after a question", async () => {
      resume({ ...selfie, face_optional: true });
      const sent = answering({ ...asksDocument, face_optional: false });
      await press("Continue without my face");
      const dialog = await screen.findByRole("dialog");
      expect(dialog.textContent).toMatch(/pictures of your face are deleted/);
      expect(sent).toEqual([]);
      await user.click(within(dialog).getByRole("button", { name: "Continue without my face" }));
      await heading("May we check your document?");
      expect(screen.queryByRole("button", { name: /after all/ })).toBeNull();
      expect(sent).toMatchObject([{ decision: "declined", about: "biometrics" }]);
    });

    it("nothing of it is offered where the workflow does not", async () => {
      resume(selfie);
      await heading(/photo of your face/);
      expect(screen.queryByRole("button", { name: /without my face/ })).toBeNull();
      await stop();
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
    await heading(/didn't agree/);
  });
});
