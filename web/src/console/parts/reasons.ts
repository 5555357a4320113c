import { useQuery } from "@tanstack/react-query";
import { queries } from "../queries.ts";

/** The catalogue's words by code: what happened, and what a reviewer needs to know. The code itself until they are there. */
export function useReasons(): {
  title: (code: string) => string;
  reviewer: (code: string) => string;
  severity: (code: string) => string;
} {
  const { data } = useQuery(queries.catalogue);
  return {
    title: (code) => data?.get(code)?.title ?? code,
    reviewer: (code) => data?.get(code)?.reviewer || data?.get(code)?.title || code,
    severity: (code) => data?.get(code)?.severity ?? "",
  };
}
