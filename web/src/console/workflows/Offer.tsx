import { Button } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import type { ErrorRates, WorkflowFile } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { queries } from "../queries.ts";
import { labelOf, t } from "../words.ts";
import { Measured } from "./Asks.tsx";
import { whyNoChange } from "./can.ts";
import { calls, refresh, workflowQueries } from "./queries.ts";
import { Simulated } from "./Simulated.tsx";
import css from "./Workflows.module.css";

/** The signals that came after a workflow was published. Nothing is switched on by itself: somebody tries them and makes a draft. */
export function Offer({ file }: { file: WorkflowFile }) {
  const title = useId();
  const reason = useId();
  const navigate = useNavigate();
  const { data: me } = useSuspenseQuery(queries.me);
  const { data: rates } = useQuery(workflowQueries.rates);
  const { data: published } = useQuery({
    ...workflowQueries.version(file.id, file.published?.id ?? ""),
    enabled: Boolean(file.published),
  });
  const simulate = useMutation({
    mutationFn: async () => {
      if (!published) throw new Error("what is published is not there yet");
      const required = [
        ...published.spec.required,
        ...file.offered.filter((one) => !published.spec.required.includes(one)),
      ];
      return calls.simulate(file.id, { ...published.spec, required });
    },
  });
  const draft = useMutation({
    mutationFn: () => calls.draftOffered(file.id),
    onSuccess: () => {
      refresh(file.id);
      void navigate({ to: "/console/workflows/$id", params: { id: file.id }, search: {} });
    },
  });
  const dismiss = useMutation({
    mutationFn: () => calls.dismissOffer(file.id),
    onSuccess: () => refresh(file.id),
  });
  const mayNot = whyNoChange(me);
  const why: ConsoleKey | null = mayNot ?? (file.draft ? "offer.why.draft" : null);
  return (
    <section className={css.banner} aria-labelledby={title}>
      <h2 id={title} className={css.offerTitle}>
        {t("offer.title")}
      </h2>
      <p>{t("offer.text", { n: file.published?.number ?? 0 })}</p>
      <ul className={css.offered}>
        {file.offered.map((check) => (
          <li key={check}>
            <strong>{labelOf("check", check)}</strong>
            <span className={css.soft}>
              <Rates check={check} rates={rates} />
            </span>
          </li>
        ))}
      </ul>
      <div className={css.acts}>
        <Button
          variant="default"
          disabled={mayNot !== null || !published}
          loading={simulate.isPending}
          onClick={() => simulate.mutate()}
        >
          {t("offer.try")}
        </Button>
        <Button
          disabled={why !== null}
          aria-describedby={why ? reason : undefined}
          loading={draft.isPending}
          onClick={() => draft.mutate()}
        >
          {t("offer.draft")}
        </Button>
        <Button
          variant="subtle"
          disabled={mayNot !== null}
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate()}
        >
          {t("offer.dismiss")}
        </Button>
        {why && (
          <span id={reason} className={css.soft}>
            {t(why)}
          </span>
        )}
      </div>
      <ErrorMessage error={simulate.error ?? draft.error ?? dismiss.error} />
      {simulate.data && <Simulated result={simulate.data} />}
    </section>
  );
}

/** How a check errs: a signal by its own table, a sign of editing at the resolution where most was measured. */
function Rates({ check, rates }: { check: string; rates: ErrorRates | undefined }) {
  const signal = rates?.signals.find((one) => one.check === check);
  if (signal) return <Measured signal={signal} />;
  const signs = rates?.signs.filter((one) => one.check === check) ?? [];
  if (signs.length === 0) return t("spec.no_rates");
  return signs.map((sign) => {
    const range = sign.ranges.at(-1);
    const worst = [...(range?.attacks ?? [])].sort(
      (a, b) => b.succeed.count / Math.max(1, b.succeed.of) - a.succeed.count / Math.max(1, a.succeed.of),
    )[0];
    return (
      <span key={sign.sign} title={`${sign.date} · ${sign.command}`}>
        {t("offer.sign", {
          sign: labelOf("sign", sign.sign),
          alarms: range?.false_alarms.count ?? 0,
          of: range?.false_alarms.of ?? 0,
        })}{" "}
        {worst && t("signals.worst", { attack: worst.attack, passed: worst.succeed.count, tried: worst.succeed.of })}{" "}
        {t("offer.generated")}{" "}
      </span>
    );
  });
}
