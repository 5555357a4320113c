import { type RenderResult, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Task } from "../src/api/wire.ts";
import { App } from "../src/applicant/App.tsx";
import { say, server, session, task } from "./server.ts";

// What an applicant of the tests does and sees.

export const user = userEvent.setup();
export const go = (path: string) => history.replaceState(null, "", path);
export const press = async (name: string | RegExp) => user.click(await screen.findByRole("button", { name }));
/** Opens the menu and chooses to stop; nothing is stopped before that is confirmed. */
export async function stop(): Promise<void> {
  await press("More");
  await user.click(await screen.findByRole("menuitem", { name: "Stop the check" }));
}
export const heading = (name: string | RegExp) => screen.findByRole("heading", { name }, { timeout: 15_000 });
export const picture = () => new File(["picture"], "passport.jpg", { type: "image/jpeg" });

export async function choose(file: File): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error("no file field");
  await user.upload(input, file);
}

/** A tab that opened the session before and comes back to it; a handler may answer something else than the task. */
export function resume(now: Task, ...instead: Parameters<typeof server.use>): RenderResult {
  sessionStorage.setItem(`bonafide.token.${session}`, "token");
  sessionStorage.setItem(`bonafide.brand.${session}`, "lHarbour Bank");
  server.use(...instead, say.task(now));
  go(`/verify/${session}`);
  return render(<App />);
}

export const front = task({ step: "document_front", position: 3, document_kind: "passport", back: "choose" });
export const selfie = task({ step: "selfie", position: 4, document_kind: "passport", back: "document" });
