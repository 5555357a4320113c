import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReviewerFigure } from "../../api/wire.ts";
import { count, lasting } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import css from "./Queue.module.css";
import { reviewQueries } from "./queries.ts";

const spans = ["7", undefined, "90"] as const;

/** What each reviewer did, for those who may overrule them. */
export function Reviewers() {
  const search = useSearch({ from: "/console/reviewers" });
  const { data, error } = useQuery({ ...reviewQueries.reviewers(search), placeholderData: keepPreviousData });
  const busy = data?.items.some((one) => done(one) > 0);
  return (
    <Page title={t("reviewers.title")} lead={t("reviewers.text")}>
      <nav className={css.tabs} aria-label={t("range.label")}>
        {spans.map((days) => (
          <Link
            key={days ?? "30"}
            to="/console/reviewers"
            search={{ ...(search.mode ? { mode: search.mode } : {}), ...(days ? { days } : {}) }}
            className={css.tab}
            data-active={search.days === days}
            aria-current={search.days === days ? "page" : undefined}
          >
            {t("range.days", { n: days ?? "30" })}
          </Link>
        ))}
      </nav>
      <ErrorMessage error={error} />
      {data && !busy && <Empty title={t("reviewers.empty.title")} text={t("reviewers.empty")} />}
      {data && busy && <Figures items={data.items} />}
      {busy && <p className={css.quiet}>{t("reviewers.median_hint")}</p>}
    </Page>
  );
}

const done = (one: ReviewerFigure): number => one.approved + one.declined + one.reopened;

function Figures({ items }: { items: ReviewerFigure[] }) {
  const columns = [
    t("reviewers.column.who"),
    t("reviewers.column.cases"),
    t("reviewers.column.approved"),
    t("reviewers.column.declined"),
    t("reviewers.column.reopened"),
    t("reviewers.column.median"),
    t("reviewers.column.overturned"),
    t("reviewers.column.disagreed"),
  ];
  return (
    <Table caption={t("reviewers.table")} columns={columns}>
      {items.map((one) => (
        <tr key={one.who?.id ?? ""} className={cell.row}>
          <th scope="row" className={cell.name}>
            {one.who ? one.who.name || t("case.somebody") : t("reviewers.policy")}
          </th>
          <td data-label={columns[1]}>{count(done(one))}</td>
          <td data-label={columns[2]}>{count(one.approved)}</td>
          <td data-label={columns[3]}>{count(one.declined)}</td>
          <td data-label={columns[4]}>{one.who ? count(one.reopened) : "–"}</td>
          <td data-label={columns[5]}>{one.median_s > 0 ? lasting(one.median_s) : "–"}</td>
          <td data-label={columns[6]}>
            {t("reviewers.of", { n: count(one.overturned), of: count(one.approved + one.declined) })}
          </td>
          <td data-label={columns[7]}>
            {one.looked > 0 ? t("reviewers.of", { n: count(one.disagreed), of: count(one.looked) }) : "–"}
          </td>
        </tr>
      ))}
    </Table>
  );
}
