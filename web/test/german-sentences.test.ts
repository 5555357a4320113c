import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import sentences from "../src/i18n/sentences.json";

vi.spyOn(navigator, "languages", "get").mockReturnValue(["de"]); // before the words are read
const { ruleName, said, saidText } = await import("../src/console/said.ts");

/** The sentences that a table of a Go test expects: what follows a JSON pointer. */
function expected(path: string): string[] {
  const source = readFileSync(`../internal/workflow/${path}`, "utf8").replace(/" \+\s*"/g, "");
  return [...source.matchAll(/\{\s*"\/[a-z_/0-9]*",\s*("(?:[^"\\]|\\.)*"|`[^`]*`), (?:Neither|Stricter|Looser)/g)].map(
    ([, text = ""]) => (text.startsWith("`") ? text.slice(1, -1) : (JSON.parse(text) as string)),
  );
}

/** English words that German does not have, so that none is left where everything was translated. */
const english = /\b(the|is|are|of|and|instead|longer|with|would|needs?|has|from|asked|looks?)\b/i;

it("every difference that a test of the server expects is in German, and nothing of it stays English", () => {
  const differences = expected("compare_test.go");
  expect(differences.length).toBeGreaterThan(70);
  const left = differences.filter((text) => {
    const here = saidText(text);
    return here === undefined || english.test(here);
  });
  expect(left).toEqual([]);
});

it.each([
  ["Document chip: offered (was off).", "Chip des Dokuments: angeboten statt aus."],
  ["The minimum age is 18 (was 21).", "Das Mindestalter ist 18 statt 21."],
  ["Links can be opened for: 7 days (was 48 hours).", "Gültigkeit eines Links: 7 Tage statt 48 Stunden."],
  [
    "Documents from Germany (D), France (FRA) and Utopia (UTO) are now accepted.",
    "Aussteller jetzt akzeptiert: Deutschland (D), Frankreich (FRA) und Utopia (UTO).",
  ],
  [
    "The back of cards is no longer requested. Nothing on it is read.",
    "Die Rückseite von Karten wird nicht mehr verlangt. Nichts darauf wird gelesen.",
  ],
  [
    "“Is the picture readable?” has to pass where it applies. If it cannot run, the session goes to review.",
    "„Ist das Bild lesbar?“ muss bestanden sein, wo die Prüfung anwendbar ist. Kann sie nicht laufen, entscheidet ein Mensch.",
  ],
  [
    "Face match: about 1 in 1\u202f000 strangers would pass (was 1 in 330). This version compares no faces, so this has no effect.",
    "Gesichter: Von Fremden käme etwa 1 von 1\u202f000 durch statt 1 von 330. Diese Version vergleicht keine Gesichter, der Wert entscheidet also nichts.",
  ],
  [
    'A selfie is requested but nothing compares it. Remove the step, or require "face.match".',
    "Ein Selfie wird verlangt, aber mit nichts verglichen: Lassen Sie den Schritt weg, oder machen Sie „Zeigen Selfie und Porträt dieselbe Person?“ erforderlich.",
  ],
  ["undeclared reference to 'documnet.kind' (in container '')", "„documnet.kind“ ist nicht bekannt"],
  ["Broken: two faces; frames repeat.", "Verletzt: zwei Gesichter; Bilder wiederholen sich."],
  [
    "The challenge was answered, and the browser hints at: webdriver, virtual_camera.",
    "Die Aufgabe wurde gelöst, aber der Browser deutet hin auf: ferngesteuerter Browser, virtuelle Kamera.",
  ],
  ["sqlite, reachable and up to date", "sqlite, erreichbar und auf dem neuesten Stand"],
  ["11.5 GiB free", "11,5 GiB frei"],
  ["good until 2027-03-01", "gültig bis 01.03.2027"],
  [
    "Synthetic: 1200 genuine photographs and their copies, generated, from 8 pixels a millimetre. Missed most: inkjet.",
    "Künstlich: 1.200 erzeugte echte Aufnahmen und ihre Kopien, ab 8 Pixeln je Millimeter. Am häufigsten übersehen: inkjet.",
  ],
])("%s", (text, german) => {
  expect(said(text)).toBe(german);
});

it("a German sentence quotes an author's words unchanged", () => {
  expect(said("Rule “none” now tests “document.kind == 'passport'” (was “true”).")).toBe(
    "Bedingung der Regel „none“: „document.kind == 'passport'“ statt „true“.",
  );
  expect(said("Rule “r” was added: if “a is b instead of c. high”, the session is declined.")).toContain(
    "a is b instead of c. high",
  );
  expect([ruleName("high"), ruleName("none"), ruleName("no rule applied")]).toEqual([
    "high",
    "none",
    "keine Regel traf zu",
  ]);
});

it("a text that is written to fit many sentences at once costs no time", () => {
  const begin = performance.now();
  said(`${"a is b instead of c. ".repeat(60)}q`);
  said(`Rule “r” now tests “${"Sign: a. ".repeat(100)}” (was “${"Sign: b. ".repeat(100)}”).`);
  said(`The display name is ${"Sign: a. ".repeat(200)} (was ${"a is b instead of c. ".repeat(80)}).`);
  expect(performance.now() - begin).toBeLessThan(1500);
});

it("what German does not have is undefined, so that it can be marked as English", () => {
  expect(saidText("The moon is full.")).toBeUndefined();
  expect(said("The moon is full.")).toBe("The moon is full.");
});

it("what is too long to be a sentence of the server's is not taken apart", () => {
  const condition = (length: number) => `Rule “r” now tests “${"a".repeat(length)}” (was “true”).`;
  expect(saidText(condition(2000))).toBe(`Bedingung der Regel „r“: „${"a".repeat(2000)}“ statt „true“.`);
  expect(saidText(condition(4000))).toBeUndefined();
});

it("each sentence of the list is found by its own words", () => {
  const filledIn = Object.values(sentences).map((text) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => (name.startsWith("n") ? "7" : "xyz")),
  );
  expect(filledIn.length).toBeGreaterThan(400);
  expect(filledIn.filter((text) => saidText(text) === undefined)).toEqual([]);
});
