import { rmSync } from "node:fs";
import { attempts } from "./attacks.ts";
import { built } from "./fixtures.ts";

/** Runs once before all workers: they share the program that makes the specimens, and a table that is made of this run alone. */
export default function prepare(): void {
  process.env.BONAFIDE_FIXTURES ??= built("fixtures", "./cmd/fixtures");
  rmSync(attempts, { recursive: true, force: true });
}
