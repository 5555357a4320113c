import { Select, Switch } from "@mantine/core";
import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { numeral, t } from "../words.ts";
import css from "./Developers.module.css";
import { useMode } from "./mode.ts";
import { developerQueries } from "./queries.ts";

/** Microseconds in a unit that can be read. */
const took = (us: number): string =>
  us < 1000
    ? `${us} µs`
    : us < 1_000_000
      ? `${numeral(us / 1000, us < 10_000 ? 1 : 0)} ms`
      : `${numeral(us / 1_000_000, 1)} s`;

/** Calls made with API keys: the last 30 days, without what was sent. */
export function Logs() {
  const mode = useMode();
  const search = useSearch({ from: "/console/developers/logs" });
  const go = useNavigate({ from: "/console/developers/logs" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data: keys } = useQuery({ ...developerQueries.keys(mode), enabled: me.may.includes("keys.read") });
  const { data, error } = useQuery({ ...developerQueries.calls(mode, search), placeholderData: keepPreviousData });
  const names = new Map(keys?.items.map(({ id, name }) => [id, name]));
  const narrowed = Boolean(search.key || search.failed);
  return (
    <Page title={t("logs.title")} lead={t("logs.text")}>
      <div className={css.search}>
        <Select
          label={t("logs.column.key")}
          placeholder={t("logs.all_keys")}
          data={[...names].map(([value, label]) => ({ value, label: `${label} · …${value.slice(-4)}` }))}
          value={search.key ?? null}
          onChange={(key) =>
            void go({ search: ({ key: _, after: __, ...rest }) => ({ ...rest, ...(key ? { key } : {}) }) })
          }
          clearable
          clearButtonProps={{ "aria-label": t("logs.clear_key") }}
        />
        <Switch
          label={t("logs.failed")}
          checked={search.failed ?? false}
          onChange={({ currentTarget: { checked } }) =>
            void go({
              search: ({ failed: _, after: __, ...rest }) => ({ ...rest, ...(checked ? { failed: true } : {}) }),
            })
          }
        />
      </div>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && (
        <Empty title={t("logs.empty.title")} text={t(narrowed ? "logs.empty.narrowed" : "logs.empty.text")} />
      )}
      {data && data.items.length > 0 && (
        <Table
          caption={t("logs.table")}
          columns={[
            t("logs.column.route"),
            t("logs.column.status"),
            t("logs.column.problem"),
            t("logs.column.took"),
            t("logs.column.key"),
            t("logs.column.request"),
            t("logs.column.when"),
          ]}
        >
          {data.items.map((call) => (
            <tr key={call.id} className={cell.row}>
              <th scope="row" className={cell.first}>
                <code className={cell.code}>{`${call.method} ${call.route}`}</code>
              </th>
              <td>
                <State shape={call.status < 400 ? "pass" : call.status < 500 ? "unsure" : "fail"}>
                  {String(call.status)}
                </State>
              </td>
              <td>
                {call.problem ? (
                  <a href={`/docs/errors#${call.problem}`} className={cell.code}>
                    {call.problem}
                  </a>
                ) : (
                  "–"
                )}
              </td>
              <td className={cell.quiet}>{took(call.took_us)}</td>
              <td className={cell.quiet} title={call.key}>
                {names.get(call.key) ?? shortId(call.key)}
              </td>
              <td className={cell.code}>{call.request_id}</td>
              <td className={cell.quiet}>
                <Time iso={call.at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Pager
        first={search.after ? () => void go({ search: ({ after: _, ...rest }) => rest }) : null}
        next={data?.next ? () => void go({ search: (now) => ({ ...now, after: data.next }) }) : null}
      />
    </Page>
  );
}
