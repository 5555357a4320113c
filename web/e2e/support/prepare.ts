import { built } from "./fixtures.ts";

/** Runs once before all workers: they share the program that makes the specimens. */
export default function prepare(): void {
  process.env.BONAFIDE_FIXTURES ??= built("fixtures", "./cmd/fixtures");
}
