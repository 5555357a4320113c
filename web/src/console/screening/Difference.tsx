import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Watchlist, WatchlistVersion } from "../../api/wire.ts";
import { count } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Lists.module.css";
import { calls, screeningQueries } from "./queries.ts";

const signs = { added: "+", changed: "~", removed: "−" } as const;

/** What a version changes, by name, and what can be done with it. */
export function Difference({
  list,
  version,
  writes,
  onClose,
  onDone,
}: {
  list: Watchlist;
  version: WatchlistVersion;
  writes: boolean;
  onClose: () => void;
  onDone: (text: string) => void;
}) {
  const { data, error } = useQuery(screeningQueries.difference(version.id));
  const use = useMutation({
    mutationFn: () => calls.activate(version.id),
    onSuccess: () => onDone(t("lists.in_use", { title: list.title })),
  });
  const dismiss = useMutation({
    mutationFn: () => calls.dismiss(version.id),
    onSuccess: () => onDone(t("lists.dismissed")),
  });
  const active = version.state === "active";
  const waits = version.state === "held" || version.state === "waiting";
  return (
    <Sheet title={t("lists.difference", { title: list.title })} size="lg" onClose={onClose}>
      <div className={css.form}>
        {version.state === "held" && (
          <p className={css.held}>{version.why.map((why) => labelOf("lists.why", why)).join(" ")}</p>
        )}
        <p className={css.soft}>{t(active ? "lists.difference.active" : "lists.difference.text")}</p>
        <ErrorMessage error={error ?? use.error ?? dismiss.error} />
        {!data && !error && <p>{t("app.loading")}</p>}
        {data && (
          <>
            <p>
              <strong>
                {t("lists.counts", {
                  added: count(data.added),
                  changed: count(data.changed),
                  removed: count(data.removed),
                })}
              </strong>
            </p>
            {data.entries.length > 0 && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
              <ul className={css.entries} tabIndex={0} aria-label={t("lists.entries")}>
                {data.entries.map((one) => (
                  <li key={one.change + one.id} data-change={one.change}>
                    <span title={t(`lists.change.${one.change}`)}>{signs[one.change]}</span> <bdi>{one.name}</bdi>{" "}
                    <code>{one.id}</code>
                    {one.kind !== "person" && <span className={css.soft}> {t(`lists.kind.${one.kind}`)}</span>}
                  </li>
                ))}
              </ul>
            )}
            {data.added + data.changed + data.removed > data.entries.length && (
              <p className={css.soft}>{t("lists.entries.more", { n: data.entries.length })}</p>
            )}
          </>
        )}
        {writes && (
          <div className={css.acts}>
            {!active && (
              <Button loading={use.isPending} onClick={() => use.mutate()}>
                {t(version.state === "retired" ? "lists.use_again" : "lists.use")}
              </Button>
            )}
            {(waits || active) && (
              <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
                {t(active ? "lists.end_use" : "lists.dismiss")}
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {t("app.close")}
            </Button>
          </div>
        )}
      </div>
    </Sheet>
  );
}
