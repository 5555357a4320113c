import { expect, it, vi } from "vitest";

vi.spyOn(navigator, "languages", "get").mockReturnValue(["de"]); // before the words are read
const { refusalText } = await import("../src/console/parts/refusal.ts");
const { explanationOf, nameOf } = await import("../src/console/parts/reasons.ts");

const problem = {
  type: "/docs/errors#auth.invalid",
  title: "The credential is not valid.",
  status: 401,
  code: "auth.invalid" as const,
  remedy: "Check that it is complete, not expired and not revoked.",
  request_id: "req_1",
};

it("a refusal is said in German: its title, and what to do or the sentence that says more", () => {
  const said = { title: "Die Zugangsdaten sind nicht gültig.", english: "" };
  expect(refusalText(problem)).toEqual({
    ...said,
    more: "Prüfen Sie, ob sie vollständig, nicht abgelaufen und nicht widerrufen sind.",
  });
  const more = (detail: string) => refusalText({ ...problem, detail });
  expect(more("The address or the password is wrong.")).toEqual({ ...said, more: "Adresse oder Passwort ist falsch." });
  expect(more("A password has 12 to 128 characters.").more).toBe("Ein Passwort hat 12 bis 128 Zeichen.");
  expect(more("Expected: one line of at most 200 characters.").more).toBe(
    "Erwartet: eine Zeile mit höchstens 200 Zeichen.",
  );
  expect(more("Line 3, column 9: undeclared reference").more).toBe("Zeile 3, Spalte 9: undeclared reference.");
});

it("a sentence that German does not have is shown as the server wrote it, behind what to do in German", () => {
  expect(refusalText({ ...problem, detail: "The moon is full." })).toEqual({
    title: "Die Zugangsdaten sind nicht gültig.",
    more: "Prüfen Sie, ob sie vollständig, nicht abgelaufen und nicht widerrufen sind.",
    english: "The moon is full.",
  });
});

it("a reason is named and explained in German, whether or not it has a short name", () => {
  expect(nameOf("document.screen_copy", "The document needs a second look.")).toBe("Bildschirmkopie");
  expect(nameOf("status.revoked", "The issuer revoked the credential.")).toBe(
    "Der Aussteller hat den Nachweis widerrufen",
  );
  const row = { title: "The issuer revoked the credential.", reviewer: "The issuer revoked the credential." };
  expect(explanationOf("status.revoked", row)).toBe("Der Aussteller hat den Nachweis widerrufen.");
  expect(explanationOf("capture.blurred")).toBe("Das Bild ist weniger scharf, als es zum Lesen nötig ist.");
  expect(explanationOf("brand.new", { title: "Something new.", reviewer: "" })).toBe("Something new.");
});
