import { useQuery } from "@tanstack/react-query";
import type { ProblemRow } from "../../api/wire.ts";
import { queries } from "../queries.ts";
import { catalogueText, has, t } from "../words.ts";
import type { Option } from "./FilterChip.tsx";

/** The name of a reason, a few words, the same wherever it is seen; `title` is what the catalogue calls it. */
export function nameOf(code: string, title?: string): string {
  const key = `reason.${code}`;
  return has(key) ? t(key) : catalogueText(code, "title", title ?? code).replace(/\.$/, "");
}

/** What a reviewer needs to know of a reason: a sentence. A row whose title says it has no other one. */
export function explanationOf(code: string, row?: Pick<ProblemRow, "title" | "reviewer">): string {
  return catalogueText(code, "reviewer", catalogueText(code, "title", row?.reviewer || row?.title || code));
}

/** The reasons that a list can be narrowed to, by name. */
export const reasonOptions = (catalogue: ReadonlyMap<string, ProblemRow> | undefined): Option[] =>
  [...(catalogue?.values() ?? [])]
    .filter((row) => row.severity !== "")
    .map((row) => ({ value: row.code, label: nameOf(row.code, row.title) }))
    .sort((a, b) => a.label.localeCompare(b.label));

/** Reasons in words, by code: the name, the sentence for reviewers, and the severity. The code itself until the catalogue is there. */
export function useReasons(): {
  name: (code: string) => string;
  reviewer: (code: string) => string;
  severity: (code: string) => string;
} {
  const { data } = useQuery(queries.catalogue);
  return {
    name: (code) => nameOf(code, data?.get(code)?.title),
    reviewer: (code) => explanationOf(code, data?.get(code)),
    severity: (code) => data?.get(code)?.severity ?? "",
  };
}
