import { cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { server } from "./server.ts";

beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
  vi.stubGlobal("scrollTo", () => undefined);
  // jsdom knows neither pictures nor dialogs, and lays nothing out.
  // A phone: tests of computers say so themselves.
  window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
  Element.prototype.scrollIntoView = () => undefined;
  URL.createObjectURL = () => "blob:picture";
  URL.revokeObjectURL = () => undefined;
  vi.stubGlobal("createImageBitmap", async () => ({ width: 1600, height: 1200, close: () => undefined }));
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true;
  };
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
});

afterAll(() => server.close());
