import { useSearch } from "@tanstack/react-router";
import type { Mode } from "../../api/wire.ts";

/** Whose data these pages show: it stands in the address. */
export function useMode(): Mode {
  const search = useSearch({ strict: false });
  return search.mode ?? "test";
}
