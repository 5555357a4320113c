import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Mode } from "../../api/wire.ts";
import { t } from "../words.ts";
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

/** Says which endpoints of a mode nothing is sent to any more. Only for whoever may read webhooks. */
export function StoppedEndpoints({ mode }: { mode: Mode }) {
  const { data } = useQuery(developerQueries.endpoints(mode));
  const stopped = data?.items.filter(({ stopped_at }) => stopped_at) ?? [];
  return stopped.map(({ id, url }) => (
    <Notice key={id} title={t("webhooks.notice")}>
      {t("webhooks.notice.text")}{" "}
      <Link to="/console/developers/webhooks/$id" params={{ id }} search={mode === "live" ? { mode } : {}}>
        {url}
      </Link>
    </Notice>
  ));
}
