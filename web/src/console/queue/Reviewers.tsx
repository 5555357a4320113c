import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReviewerFigure } from "../../api/wire.ts";
import { count, lasting } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import cell from "../parts/Table.module.css";
import { type Sortable, Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import css from "./Queue.module.css";
import { reviewerFigures, reviewQueries } from "./queries.ts";

const spans = ["7", undefined, "90"] as const;

/** What each reviewer did, for those who may overrule them. */
export function Reviewers() {
  const search = useSearch({ from: "/console/reviewers" });
  const { data, error } = useQuery({ ...reviewQueries.reviewers(search), placeholderData: keepPreviousData });
  const { days: _, ...rest } = search;
  const busy = data?.items.some((one) => done(one) > 0);
  return (
    <Page title={t("reviewers.title")} lead={t("reviewers.text")}>
      <nav className={css.tabs} aria-label={t("range.label")}>
        {spans.map((days) => (
          <Link
            key={days ?? "30"}
            to="/console/reviewers"
            search={{ ...rest, ...(days ? { days } : {}) }}
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

const part = (n: number, of: number): number => (of > 0 ? n / of : 0);

const figureOf: Record<(typeof reviewerFigures)[number], (one: ReviewerFigure) => number> = {
  cases: done,
  approved: (one) => one.approved,
  declined: (one) => one.declined,
  reopened: (one) => one.reopened,
  median: (one) => one.median_s,
  overturned: (one) => part(one.overturned, one.approved + one.declined),
  disagreed: (one) => part(one.disagreed, one.looked),
};

function Figures({ items }: { items: ReviewerFigure[] }) {
  const search = useSearch({ from: "/console/reviewers" });
  const navigate = useNavigate({ from: "/console/reviewers" });
  const { by, up } = search;
  const { days, mode } = search;
  const kept = { ...(mode ? { mode } : {}), ...(days ? { days } : {}) };
  const columns = [t("reviewers.column.who"), ...reviewerFigures.map((name) => t(`reviewers.column.${name}`))];
  const headings = reviewerFigures.map((name): Sortable => {
    const order = by !== name ? "none" : up ? "ascending" : "descending";
    const next = order === "none" ? { by: name } : order === "descending" ? { by: name, up: true as const } : {};
    return {
      name: t(`reviewers.column.${name}`),
      order,
      onSort: () => void navigate({ search: { ...kept, ...next } }),
    };
  });
  const sorted = by ? [...items].sort((a, b) => (up ? 1 : -1) * (figureOf[by](a) - figureOf[by](b))) : items;
  return (
    <Table caption={t("reviewers.table")} columns={[columns[0] ?? "", ...headings]}>
      {sorted.map((one) => (
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
