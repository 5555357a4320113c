import { t } from "../words.ts";
import { useReasons } from "./reasons.ts";

/** Reasons by their names, gravest first as the server sends them; on hover what each means, and its code. */
export function Why({ codes }: { codes: readonly string[] }) {
  const { name, reviewer } = useReasons();
  if (codes.length === 0) return <span>{t("why.none")}</span>;
  const meaning = codes.map((code) => `${reviewer(code)} (${code})`).join("\n");
  return <span title={meaning}>{codes.map(name).join(" · ")}</span>;
}
