import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Watchlists } from "../../api/wire.ts";
import { Notice } from "../developers/Notice.tsx";
import { count } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { type Deed, Done, Empty, Page } from "../parts/Page.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { ListCard } from "./ListCard.tsx";
import css from "./Lists.module.css";
import { ListsNotice } from "./ListsNotice.tsx";
import { screeningQueries } from "./queries.ts";
import { ListForm } from "./Settings.tsx";

/** The watchlists of the deployment: how old and how large they are, what is held and why, and on which terms they are used. */
export function WatchlistsPage() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(screeningQueries.lists);
  const [adding, setAdding] = useState(false);
  const [done, setDone] = useState<Deed | null>(null);
  const writes = me.may.includes("watchlists.write");
  return (
    <Page
      title={t("lists.title")}
      lead={t("lists.lead")}
      actions={
        <>
          <Link to="/console/settings/monitoring" className={css.link}>
            {t("monitoring.title")}
          </Link>
          {writes && <Button onClick={() => setAdding(true)}>{t("lists.add")}</Button>}
        </>
      }
    >
      <ErrorMessage error={error} />
      <Done deed={done} />
      <ListsNotice me={me} />
      {data && data.items.length === 0 && <Empty title={t("lists.empty")} text={t("lists.empty.text")} />}
      {data && data.items.length > 0 && (
        <>
          <Compiled data={data} />
          <div className={css.lists}>
            {data.items.map((one) => (
              <ListCard key={one.id} list={one} writes={writes} onDone={(text) => setDone({ text })} />
            ))}
          </div>
        </>
      )}
      {adding && (
        <ListForm
          list={null}
          onClose={() => setAdding(false)}
          onDone={(text) => {
            setAdding(false);
            setDone({ text });
          }}
        />
      )}
    </Page>
  );
}

/** What is searched now, and what nobody can be searched for. */
function Compiled({ data: { compiled, missing } }: { data: Watchlists }) {
  return (
    <>
      {missing.length < 3 && missing.length > 0 && (
        <p className={css.soft}>
          {t("lists.missing", { topics: missing.map((topic) => t(`topic.${topic}`)).join(", ") })}
        </p>
      )}
      {missing.length === 3 && <Notice title={t("lists.none_in_use")}>{t("lists.none_in_use.text")}</Notice>}
      {compiled.sha256 && (
        <p className={css.soft}>
          {t("lists.compiled", { people: count(compiled.people), names: count(compiled.names) })}{" "}
          <code title={compiled.sha256}>{compiled.sha256.slice(0, 12)}</code>
        </p>
      )}
    </>
  );
}
