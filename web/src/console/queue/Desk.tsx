import { Button, Switch } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Me, Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import { Giving } from "./Giving.tsx";
import css from "./Queue.module.css";
import { reviewCalls, reviewQueries } from "./queries.ts";

/** What belongs to the queue beside its cases: second looks, figures, who is there, and how cases are given out. */
export function Desk({ mode, me }: { mode: Mode; me: Me }) {
  const decides = me.may.includes("cases.decide");
  const leads = me.may.includes("cases.overrule");
  const { data } = useQuery({ ...reviewQueries.assignment(mode), enabled: decides });
  const { data: quality } = useQuery({ ...reviewQueries.quality(mode, false), enabled: decides });
  const [setting, setSetting] = useState(false);
  const away = useMutation({
    mutationFn: (gone: boolean) => reviewCalls.away(gone),
    onSuccess: (set) =>
      client.setQueryData(reviewQueries.assignment(mode).queryKey, (was) => was && { ...was, away: set.away }),
  });
  const gone = away.isPending ? away.variables : (data?.away ?? false);
  if (!decides) return null;
  const search = mode === "live" ? { mode } : {};
  const said = away.isSuccess
    ? t(away.data.away ? "queue.away_done" : "queue.back_done")
    : data?.away && t("queue.away_on");
  return (
    <div className={css.desk}>
      <nav className={css.links} aria-label={t("queue.more")}>
        <Link to="/console/quality" search={search} className={css.link}>
          {t("quality.title")}
          {quality && quality.waiting > 0 && <span className={css.count}>{quality.waiting}</span>}
        </Link>
        {leads && (
          <Link to="/console/reviewers" search={search} className={css.link}>
            {t("reviewers.title")}
          </Link>
        )}
        {leads && data && (
          <Button size="compact-sm" variant="subtle" onClick={() => setSetting(true)}>
            {t(data.enabled ? "giving.on" : "giving.off")}
          </Button>
        )}
      </nav>
      <div className={css.presence}>
        <span role="status" className={css.quiet}>
          {said || ""}
        </span>
        <Switch
          size="sm"
          label={t("queue.away")}
          checked={gone}
          disabled={!data}
          onChange={(event) => away.mutate(event.currentTarget.checked)}
        />
      </div>
      <ErrorMessage error={away.error} />
      {setting && <Giving mode={mode} onClose={() => setSetting(false)} />}
    </div>
  );
}
