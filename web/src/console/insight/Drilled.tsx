import { Button } from "@mantine/core";
import { labelOf, t } from "../words.ts";
import css from "./Drilled.module.css";
import { type Bar, barOf, isBar } from "./drill.ts";
import { count } from "./figures.ts";

/** What a bar counts, in words. */
function wordsOf(bar: Bar): string {
  return [
    bar.verdict && labelOf("bar.verdict", bar.verdict),
    bar.automatic && t("bar.automatic"),
    bar.reached && labelOf("bar.reached", bar.reached),
    bar.version && t("bar.version", { version: bar.version }),
    bar.device && labelOf("device", bar.device),
    bar.face_model,
    bar.source && labelOf("source", bar.source),
    bar.left && (bar.left === "unknown" ? t("bar.left_unknown") : t("bar.left", { step: labelOf("left", bar.left) })),
    bar.unknown && labelOf("bar.unknown", bar.unknown),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Says above the list which figure led to it, and how many sessions that counts. */
export function Drilled({
  search,
  total,
  onDrop,
}: {
  search: Readonly<Record<string, unknown>>;
  total: number | undefined;
  onDrop: () => void;
}) {
  if (!isBar(search)) return null;
  const what = wordsOf(barOf(search));
  return (
    <div className={css.drilled}>
      <p role="status">
        {total === undefined ? what : t(total === 1 ? "bar.one" : "bar.count", { n: count(total), what })}
      </p>
      <Button size="compact-sm" variant="subtle" onClick={onDrop}>
        {t("bar.drop")}
      </Button>
    </div>
  );
}
