import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

it("a problem without a translation is said in English, and says that it is English", async () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["de"]); // before the words are read
  const { ProblemBox } = await import("../src/applicant/parts/Notice.tsx");
  const { WordsProvider } = await import("../src/applicant/words.tsx");
  const english = { title: "The document may be void.", remedy: "Show another.", step: "document_front" } as const;
  render(
    <WordsProvider>
      <ProblemBox problem={{ ...english, code: "auth.forbidden" }} />
      <ProblemBox problem={{ ...english, code: "document.expired" }} />
    </WordsProvider>,
  );
  const languageOf = (text: string) => screen.getByText(text).closest("[lang]")?.getAttribute("lang");
  await screen.findByText(english.title);
  expect(screen.getAllByText(english.title)).toHaveLength(1);
  expect(languageOf(english.title)).toBe("en");
  expect(languageOf("Dieses Dokument ist abgelaufen.")).toBe("de");
});
