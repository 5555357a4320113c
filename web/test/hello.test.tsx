import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { peeked, say, server } from "./server.ts";

it("a brand's sentence stands above what to have ready, not instead of it", async () => {
  const meta = document.createElement("meta");
  meta.name = "bonafide-brand";
  meta.content = JSON.stringify({ hello_en: "Welcome to the harbour." });
  document.head.append(meta); // before the app is read, as the server writes it
  const { App } = await import("../src/applicant/App.tsx");
  history.replaceState(null, "", "/v/secret-link");
  server.use(say.peek(peeked));
  render(<App />);
  expect(await screen.findByText("Welcome to the harbour.", undefined, { timeout: 15_000 })).toBeDefined();
  expect(screen.getByText(/You'll need:/)).toBeDefined();
});
