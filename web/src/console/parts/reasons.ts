import { useQuery } from "@tanstack/react-query";
import { queries } from "../queries.ts";
import { has, t } from "../words.ts";

/** The name of a reason, a few words, the same wherever it is seen; `title` is what the catalogue calls it. */
export function nameOf(code: string, title?: string): string {
  const key = `reason.${code}`;
  return has(key) ? t(key) : (title?.replace(/\.$/, "") ?? code);
}

/** Reasons in words, by code: the name, the sentence for reviewers, and the severity. The code itself until the catalogue is there. */
export function useReasons(): {
  name: (code: string) => string;
  reviewer: (code: string) => string;
  severity: (code: string) => string;
} {
  const { data } = useQuery(queries.catalogue);
  return {
    name: (code) => nameOf(code, data?.get(code)?.title),
    reviewer: (code) => data?.get(code)?.reviewer || data?.get(code)?.title || code,
    severity: (code) => data?.get(code)?.severity ?? "",
  };
}
