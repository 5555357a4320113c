import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Hit, Me, Mode } from "../../api/wire.ts";
import queue from "../cases/Queue.module.css";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { useKeys } from "../parts/keys.ts";
import { Masked } from "../parts/Masked.tsx";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { DecideButtons, DecideHit } from "./Decide.tsx";
import css from "./Hit.module.css";
import { HitCard } from "./HitCard.tsx";
import { ListsNotice } from "./ListsNotice.tsx";
import { type Decision, type HitTab, hitTabs, screeningQueries } from "./queries.ts";

const reasons = [
  "other_birth",
  "other_name",
  "other_nationality",
  "other_sex",
  "other_document",
  "other_picture",
  "other",
] as const;

/** Hits of all sessions: what somebody has to decide, those that came first on top. */
export function HitsPage() {
  const search = useSearch({ from: "/console/screening" });
  const navigate = useNavigate({ from: "/console/screening" });
  const mode: Mode = search.mode ?? "test";
  const tab: HitTab = search.tab ?? "open";
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(screeningQueries.hits(mode, tab, search.after));
  const counts = data?.counts;
  const size: Record<HitTab, number> = {
    open: (counts?.open ?? 0) + (counts?.unsure ?? 0) + (counts?.awaits_second ?? 0),
    not_the_person: counts?.not_the_person ?? 0,
    is_the_person: counts?.is_the_person ?? 0,
  };
  return (
    <Page title={t("screening.title")} lead={t("screening.lead")}>
      <Masked />
      <ListsNotice me={me} />
      <div className={queue.tools}>
        <nav className={queue.tabs} aria-label={t("screening.tabs")}>
          {hitTabs.map((one) => (
            <Link
              key={one}
              to="/console/screening"
              search={({ after: _, tab: __, ...rest }) => (one === "open" ? rest : { ...rest, tab: one })}
              className={queue.tab}
              data-active={one === tab}
              aria-current={one === tab ? "page" : undefined}
            >
              {t(`screening.tab.${one}`)}
              <span className={queue.count}>{size[one]}</span>
            </Link>
          ))}
        </nav>
        <Link to="/console/screening/search" className={css.link}>
          {t("screening.search")}
        </Link>
      </div>
      <ErrorMessage error={error} />
      {data && data.items.length > 0 && <Hits items={data.items} me={me} />}
      {data?.items.length === 0 && (
        <Empty title={t(`screening.empty.${tab}`)} text={t(`screening.empty.${tab}.text`)} />
      )}
      <Pager
        first={search.after ? () => void navigate({ search: ({ after: _, ...rest }) => rest }) : null}
        next={data?.next ? () => void navigate({ search: (was) => ({ ...was, after: data.next }) }) : null}
        words={{ first: t("sessions.first"), next: t("sessions.more") }}
      />
    </Page>
  );
}

/** The hits, of which one is current: J and K move, N, Y and U decide. */
function Hits({ items, me }: { items: Hit[]; me: Me }) {
  const [at, setAt] = useState(0);
  const [what, setWhat] = useState<Decision["decision"] | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const current = Math.min(at, items.length - 1);
  const hit = items[current];
  const decides = me.may.includes("cases.decide");
  const go = (by: number) => setAt(Math.max(0, Math.min(items.length - 1, current + by)));
  const decide = (one: Decision["decision"]) => () => decides && setWhat(one);
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    n: decide("not_the_person"),
    y: decide("is_the_person"),
    u: decide("unsure"),
  });
  useEffect(() => {
    if (at > 0) list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <>
      {decides && <p className={css.soft}>{t("screening.keys")}</p>}
      <div className={css.hits} ref={list}>
        {items.map((one, i) => (
          <div key={one.id} data-current={i === current}>
            <HitCard hit={one} session>
              {decides && <DecideButtons hit={one} reasons={reasons} keys={i === current} />}
            </HitCard>
          </div>
        ))}
      </div>
      {what && hit && <DecideHit hit={hit} what={what} reasons={reasons} onClose={() => setWhat(null)} />}
    </>
  );
}
