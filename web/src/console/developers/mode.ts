import { useSearch } from "@tanstack/react-router";
import type { Mode } from "../../api/wire.ts";

/** Returns whether these pages show test or live data, as the address says. */
export function useMode(): Mode {
  const search = useSearch({ strict: false });
  return search.mode ?? "test";
}
