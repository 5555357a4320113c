import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Me, TrustUpdate } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import { Certificates } from "./Certificates.tsx";
import { type Act, calls, stale, trustQueries } from "./queries.ts";
import css from "./Trust.module.css";
import { acceptBlock, byCountry, dayOf, mayWrite, undoBlock } from "./trust.ts";
import { actOf, purposeOf, whatOf } from "./Updates.tsx";

type Props = { id: string; two: boolean; me: Me; onClose: () => void; onDone: (text: string) => void };

/** One update with its difference to what it replaces, and what can be done about it. */
export function UpdateSheet({ id, two, me, onClose, onDone }: Props) {
  const { data, error } = useQuery(trustQueries.update(id));
  const pending = data?.state === "pending";
  return (
    <Sheet
      size="xl"
      title={t(pending || !data ? "trust.update.title.pending" : "trust.update.title.settled")}
      onClose={onClose}
    >
      <div className={css.form}>
        <ErrorMessage error={error} />
        {data && (
          <>
            <p className={css.label}>{whatOf(data)}</p>
            <Difference update={data} />
            <Facts update={data} />
            <Acts update={data} two={two} me={me} onClose={onClose} onDone={onDone} />
          </>
        )}
      </div>
    </Sheet>
  );
}

function Difference({ update }: { update: TrustUpdate }) {
  const { difference, kind, count } = update;
  if (kind === "revocation_list") return <p>{t("trust.diff.revocations", { n: count })}</p>;
  if (!difference || difference.changes.length === 0) return <p className={css.soft}>{t("trust.diff.none")}</p>;
  const { added, removed, changed, changes } = difference;
  const countries = byCountry(changes);
  return (
    <div className={css.form}>
      <p>
        <strong>{t("trust.diff.counts", { added, removed, changed })}</strong>
      </p>
      {removed > 0 && kind === "master_list" && <p className={css.soft}>{t("trust.diff.removed")}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard */}
      <section className={css.changes} tabIndex={0} aria-label={t("trust.diff")}>
        {countries.map((of) => (
          <details key={of.country} open={countries.length < 3}>
            <summary>
              <strong>{countryName(of.country)}</strong>
              <span>{t("trust.diff.counts", { added: of.added, removed: of.removed, changed: of.changed })}</span>
            </summary>
            <Certificates
              all={of.all.flatMap(({ kind, before, after }) => {
                const certificate = after ?? before;
                return certificate ? [{ certificate, note: t(`trust.change.${kind}`) }] : [];
              })}
            />
          </details>
        ))}
      </section>
    </div>
  );
}

function Facts({ update }: { update: TrustUpdate }) {
  const { subject, purpose, scope, dated, count, source, sha256, proposed, settled, undo_asked, undone } = update;
  const facts: [string, string][] = [
    [t("trust.update.signer"), subject],
    [
      t("trust.update.for"),
      purpose === ""
        ? t("trust.purpose.")
        : `${t(`trust.purpose.${purposeOf(update)}`)}: ${purpose === "csca" ? countryName(scope) : scope}`,
    ],
    [t("trust.update.dated"), dated ? dayOf(dated) : ""],
    [t("trust.update.entries"), update.kind === "removal" ? "" : String(count)],
    [t("trust.update.source"), source || t("trust.update.unsaid")],
    [t("trust.update.proposed"), actOf(proposed)],
    [t("trust.update.settled"), actOf(settled)],
    [t("trust.update.undo_asked"), actOf(undo_asked)],
    [t("trust.update.undone"), actOf(undone)],
    [t("trust.update.sha256"), sha256],
  ];
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{name === t("trust.update.sha256") ? <code>{value}</code> : value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Acts({ update, two, me, onClose, onDone }: { update: TrustUpdate } & Omit<Props, "id">) {
  const { id, state, mode, undo_asked } = update;
  const act = useMutation({
    mutationFn: (what: Act) => calls[what](id),
    onSuccess: (after, what) => {
      stale();
      const asked = what === "undo" && after.state === "in_force";
      onDone(t(asked ? "trust.did.undo_asked" : `trust.did.${what}`, { what: whatOf(update) }));
    },
    onError: stale,
  });
  const waits = state === "pending";
  const block = waits ? acceptBlock(me, two, update) : state === "in_force" ? undoBlock(me, two, update) : null;
  const undoWord = two ? (undo_asked ? "trust.undo.agree" : "trust.undo.ask") : "trust.undo";
  return (
    <>
      <ErrorMessage error={act.error} />
      <div className={css.acts}>
        {block && (
          <p className={css.blocked} id="trust-block">
            {t(`trust.block.${block}`, { mode: t(`mode.${mode}`) })}
          </p>
        )}
        {state === "in_force" && !block && <p className={css.blocked}>{t("trust.undo.means")}</p>}
        {waits && (
          <Button
            disabled={block !== null}
            aria-describedby={block ? "trust-block" : undefined}
            loading={act.isPending && act.variables === "accept"}
            onClick={() => act.mutate("accept")}
          >
            {t("trust.accept")}
          </Button>
        )}
        {waits && mayWrite(me, mode) && (
          <Button
            variant="default"
            loading={act.isPending && act.variables === "decline"}
            onClick={() => act.mutate("decline")}
          >
            {t("trust.decline")}
          </Button>
        )}
        {state === "in_force" && (
          <Button
            variant="default"
            disabled={block !== null}
            aria-describedby={block ? "trust-block" : undefined}
            loading={act.isPending}
            onClick={() => act.mutate("undo")}
          >
            {t(undoWord)}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t("trust.close")}
        </Button>
      </div>
    </>
  );
}
