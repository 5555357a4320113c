import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Retention, RetentionPreview } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import { retentionQueries } from "./queries.ts";
import css from "./Retention.module.css";
import { boundsOf, changed, type Kind, keptOf, soonerOf, spanOf } from "./retention.ts";

const sizes = { hours: 1, days: 24 } as const;
const units = ["hours", "days"] as const;
type Unit = (typeof units)[number];

const settling = 300;

/** Settles how long one kind of data is kept. What goes sooner by it is said before it can be saved. */
export function Change({
  data,
  kind,
  onClose,
  onDone,
}: {
  data: Retention;
  kind: Kind;
  onClose: () => void;
  onDone: (text: string) => void;
}) {
  const { least, most } = boundsOf(data, kind);
  const now = keptOf(data, kind);
  const [unit, setUnit] = useState<Unit>(now % sizes.days === 0 ? "days" : "hours");
  const [n, setN] = useState<number | string>(now / sizes[unit]);
  const hours = typeof n === "number" ? n * sizes[unit] : Number.NaN;
  const fits = Number.isInteger(hours) && hours >= least && hours <= most;
  const sooner = fits && hours < now;

  const [steady] = useDebouncedValue(hours, settling);
  const asked = sooner && steady === hours;
  const reach = useQuery({ ...retentionQueries.preview(changed(data, kind, hours)), enabled: asked });
  const save = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/settings/retention", { body: changed(data, kind, hours) })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["retention"] });
      onDone(t("retention.saved", { kind: t(`retention.${kind}`), span: spanOf(hours) }));
    },
  });
  const known = !sooner || (asked && reach.isSuccess);
  return (
    <Sheet size="lg" title={t("retention.change_of", { kind: t(`retention.${kind}`) })} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (fits && known && hours !== now) save.mutate();
        }}
      >
        <p className={css.soft}>{t(`retention.${kind}.means`)}</p>
        <div className={css.span}>
          <NumberInput
            label={t("retention.keep_for")}
            value={n}
            onChange={setN}
            min={1}
            allowNegative={false}
            allowDecimal={false}
            data-autofocus
            aria-describedby="retention-bounds"
            aria-invalid={!fits}
          />
          <NativeSelect
            label={t("retention.unit")}
            value={unit}
            onChange={(event) => setUnit(event.currentTarget.value === "hours" ? "hours" : "days")}
            data={units.map((value) => ({ value, label: t(`retention.unit.${value}`) }))}
          />
        </div>
        <p id="retention-bounds" className={css.soft} role={fits ? undefined : "alert"}>
          {t(fits ? "retention.bounds" : "retention.out_of_bounds", { least: spanOf(least), most: spanOf(most) })}
        </p>
        <div role="status">
          {sooner && !known && !reach.error && <p className={css.soft}>{t("retention.reach.counting")}</p>}
          {sooner && known && reach.data && <Reach preview={reach.data} />}
        </div>
        <ErrorMessage error={save.error ?? (asked ? reach.error : null)} />
        <div className={css.acts}>
          <Button
            type="submit"
            {...(sooner ? { color: "red.9" } : {})}
            disabled={!fits || !known || hours === now}
            loading={save.isPending}
          >
            {t("retention.save", { span: fits ? spanOf(hours) : "…" })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

function Reach({ preview }: { preview: RetentionPreview }) {
  const reached = soonerOf(preview);
  if (reached.length === 0) return <p className={css.soft}>{t("retention.reach.none")}</p>;
  return (
    <div className={css.reach}>
      <strong>{t("retention.reach.title")}</strong>
      <ul>
        {reached.map(({ kind, sooner, next, week, month }) => (
          <li key={kind}>
            {t(`retention.reach.${kind}`, { n: sooner })}
            <span>{t("retention.reach.when", { next, week, month })}</span>
          </li>
        ))}
      </ul>
      <p>{t("retention.reach.never")}</p>
    </div>
  );
}
