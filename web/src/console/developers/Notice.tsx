import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Mode } from "../../api/wire.ts";
import { ago, t } from "../words.ts";
import css from "./Notice.module.css";
import { developerQueries } from "./queries.ts";

/** Something that a person has to do something about. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.notice} aria-label={title}>
      <strong>{title}</strong>
      <p>{children}</p>
    </section>
  );
}

/** Says which endpoints nothing is sent to any more, whatever mode the page is about. Only for whoever may read webhooks. */
export function StoppedEndpoints() {
  return (
    <>
      <Stopped mode="live" />
      <Stopped mode="test" />
    </>
  );
}

function Stopped({ mode }: { mode: Mode }) {
  const { data } = useQuery(developerQueries.endpoints(mode));
  const stopped = data?.items.filter((one) => one.stopped_at && one.mode === mode) ?? [];
  return stopped.map(({ id, url, stopped_at }) => (
    <Notice key={id} title={t(`webhooks.notice.${mode}`)}>
      {t("webhooks.notice.text", { when: ago(stopped_at ?? "") })}{" "}
      <Link to="/console/developers/webhooks/$id" params={{ id }} search={mode === "live" ? { mode } : {}}>
        {url}
      </Link>
    </Notice>
  ));
}
