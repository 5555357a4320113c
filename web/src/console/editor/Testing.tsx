import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode, Simulation, WorkflowSpec } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { useReasons } from "../parts/reasons.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import { queries } from "../queries.ts";
import { said } from "../said.ts";
import { decisionLooks, sessionLooks } from "../states.ts";
import { absolute, t } from "../words.ts";
import { calls } from "../workflows/queries.ts";
import css from "./Editor.module.css";

const judged: readonly string[] = ["approved", "declined", "in_review"];

/** Judges one past session by a draft as it is now. */
export function Testing({
  workflow,
  mode,
  spec,
  onClose,
}: {
  workflow: string;
  mode: Mode;
  spec: WorkflowSpec;
  onClose: () => void;
}) {
  const { data, error } = useQuery(queries.sessions({ mode }));
  const [chosen, setChosen] = useState("");
  const run = useMutation({ mutationFn: (id: string) => calls.simulate(workflow, spec, id) });
  const items = (data?.items ?? []).filter(({ state }) => judged.includes(state));
  return (
    <Sheet onClose={onClose} title={t("testing.title")} size="lg">
      <div className={css.form}>
        <p>{t("testing.text")}</p>
        <ErrorMessage error={error ?? run.error} />
        {data && items.length === 0 && <p>{t("testing.none")}</p>}
        {items.length > 0 && (
          <NativeSelect
            data-autofocus
            label={t("testing.session")}
            value={chosen}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              run.reset();
            }}
            data={[
              { value: "", label: t("testing.pick") },
              ...items.map((one) => ({
                value: one.id,
                label: [
                  one.external_reference || shortId(one.id),
                  t(sessionLooks[one.state].word),
                  absolute(one.created_at),
                ].join(" · "),
              })),
            ]}
          />
        )}
        <div className={css.acts}>
          <Button disabled={!chosen} loading={run.isPending} onClick={() => run.mutate(chosen)}>
            {t("testing.run")}
          </Button>
        </div>
        <div role="status">{run.data && <Result result={run.data} />}</div>
      </div>
    </Sheet>
  );
}

/** How the newest decision of the policy would go: what it was, what it would be, and why. */
function Result({ result: { totals, items } }: { result: Simulation }) {
  const { name: title } = useReasons();
  if (!totals || totals.decisions === 0) return <p>{t("testing.no_decision")}</p>;
  const move = totals.matrix[0];
  if (!move) return <p>{t("testing.unknown", { why: said(totals.why_not[0]?.message ?? "") })}</p>;
  const rule = totals.rules.find((one) => one.decided > 0);
  const reasons = items[0]?.reasons ?? rule?.reasons.map(({ code }) => code) ?? [];
  return (
    <dl className={css.verdicts}>
      <div>
        <dt>{t("testing.before")}</dt>
        <dd>
          <State shape={decisionLooks[move.from].shape}>{t(decisionLooks[move.from].word)}</State>
        </dd>
      </div>
      <div>
        <dt>{t("testing.after")}</dt>
        <dd>
          <State shape={decisionLooks[move.to].shape}>{t(decisionLooks[move.to].word)}</State>
        </dd>
      </div>
      <div>
        <dt>{t("testing.rule")}</dt>
        <dd>{[rule?.rule, ...reasons.map(title)].filter(Boolean).join(" · ")}</dd>
      </div>
    </dl>
  );
}
