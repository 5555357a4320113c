import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ProblemBox } from "../src/applicant/parts/Notice.tsx";
import { WordsProvider } from "../src/applicant/words.tsx";

it("a problem without a translation is said in English, and says that it is English", async () => {
  const problem = { code: "document.not_translated_yet", title: "The document may be void.", remedy: "Show another." };
  render(
    <WordsProvider>
      <ProblemBox problem={{ ...problem, step: "document_front" }} />
    </WordsProvider>,
  );
  expect(await screen.findByText(problem.remedy)).toBeDefined();
  expect(screen.getByText(problem.title).closest("[lang]")?.getAttribute("lang")).toBe("en");
});
