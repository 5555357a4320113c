import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { SessionFile } from "../../api/wire.ts";
import { checksOf } from "../evidence/file.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Panel } from "../parts/Panel.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { DecideButtons } from "./Decide.tsx";
import css from "./Hit.module.css";
import { HitCard } from "./HitCard.tsx";
import { screeningQueries } from "./queries.ts";

/** What was found about the person on watchlists, and what reviewers say of it. Nothing where the workflow does not screen. */
export function ScreeningPanel({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const { session } = file;
  const may = me.may.includes("cases.read");
  const { data, error } = useQuery({ ...screeningQueries.ofSession(session.id), enabled: may });
  const searched = checksOf(file).flatMap(({ finding }) => (finding?.screening ? [finding.screening] : []));
  if (searched.length === 0 && !data?.items.length) return null;
  const lists = new Map(searched.flatMap((one) => one.lists).map((one) => [one.name, one]));
  const alarms = searched.reduce((sum, one) => sum + one.alarms, 0);
  return (
    <Panel title={t("screening.panel")}>
      <div className={css.panel}>
        <ErrorMessage error={error} />
        {lists.size > 0 && (
          <p className={css.soft}>
            {t("screening.searched", {
              lists: [...lists.values()]
                .map(({ title, published }) => (published ? `${title} (${published})` : title))
                .join(", "),
            })}
          </p>
        )}
        {alarms > 20 && <p className={css.warn}>{t("screening.too_many", { n: alarms })}</p>}
        {data?.items.length === 0 && <p>{t("screening.nobody")}</p>}
        {data?.items.map((hit) => (
          <HitCard key={hit.id} hit={hit}>
            {me.may.includes("cases.decide") && <DecideButtons hit={hit} reasons={data.reasons} />}
          </HitCard>
        ))}
      </div>
    </Panel>
  );
}
