import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { System as Deployment, SystemModel } from "../../api/wire.ts";
import { StoppedEndpoints } from "../developers/Notice.tsx";
import { Mails } from "../mail/Mails.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { Said } from "../parts/Said.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { said } from "../said.ts";
import { capital, numeral, t, words } from "../words.ts";
import { bytes, count } from "./figures.ts";
import css from "./Insight.module.css";
import { insightQueries } from "./queries.ts";

const looks = { ok: "pass", warning: "unsure", wrong: "fail" } as const;

/** The state of the deployment, for those who keep it running. */
export function System() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(insightQueries.system);
  return (
    <Page title={t("system.title")} lead={t("system.text")}>
      <ErrorMessage error={error} />
      {me.may.includes("webhooks.read") && <StoppedEndpoints />}
      {data && (
        <>
          <Findings data={data} />
          <Glance data={data} />
          <Jobs data={data} />
          <Mails />
          <Models data={data} />
        </>
      )}
    </Page>
  );
}

function Findings({ data }: { data: Deployment }) {
  return (
    <Section title={t("system.findings")}>
      <ul className={css.findings}>
        {data.findings.map(({ what, health, found, remedy }) => (
          <li key={what} className={css.finding}>
            <State shape={looks[health]}>{t(`system.health.${health}`)}</State>
            <span>
              <strong>{capital(said(what))}</strong> <Said text={found} />
              {remedy && health !== "ok" && <Said className={css.remedy} text={remedy} />}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Glance({ data }: { data: Deployment }) {
  const { database } = data;
  return (
    <Section title={t("system.figures")}>
      <dl className={css.facts}>
        <Fact name={t("system.version")}>
          {data.version} <code>{data.commit}</code> {data.committed_at.slice(0, 10)} {data.platform}
        </Fact>
        {data.started_at && (
          <Fact name={t("system.up")}>
            <Time iso={data.started_at} />
          </Fact>
        )}
        <Fact name={t("system.engine")}>{t(`system.engine.${data.engine}`)}</Fact>
        <Fact name={t("system.database")}>
          {database.engine} {database.version}, {bytes(database.bytes)} ·{" "}
          {t("system.schema", { schema: database.schema, newest: database.newest })}
        </Fact>
        <Fact name={t("system.captures")}>
          {t("system.size", { n: count(data.captures), size: bytes(data.capture_bytes) })}
        </Fact>
        <Fact name={t("system.audit")}>
          {t("system.audit_entries", { n: count(data.audit_entries), waiting: count(data.audit_waiting) })}
        </Fact>
        <Fact name={t("system.webhooks")}>
          {t("system.webhooks_state", { failing: count(data.webhooks_failing), given: count(data.webhooks_given_up) })}
        </Fact>
      </dl>
    </Section>
  );
}

function Jobs({ data }: { data: Deployment }) {
  if (data.jobs.length === 0)
    return (
      <Section title={t("system.jobs")}>
        <p className={css.note}>{t("system.jobs.none")}</p>
      </Section>
    );
  const columns = [
    t("system.job"),
    t("system.job.waiting"),
    t("system.job.working"),
    t("system.job.later"),
    t("system.job.failed"),
    t("system.job.oldest"),
  ];
  return (
    <Section title={t("system.jobs")}>
      <Table caption={t("system.jobs")} columns={columns}>
        {data.jobs.map(({ kind, waiting, working, later, failed, oldest }) => (
          <tr key={kind} className={cell.row}>
            <th scope="row" className={cell.first}>
              <code>{kind}</code>
            </th>
            <td data-label={columns[1]}>{count(waiting)}</td>
            <td data-label={columns[2]}>{count(working)}</td>
            <td data-label={columns[3]}>{count(later)}</td>
            <td data-label={columns[4]}>{count(failed)}</td>
            <td data-label={columns[5]}>{oldest ? <Time iso={oldest} /> : "–"}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Models({ data }: { data: Deployment }) {
  return (
    <Section title={t("system.models")}>
      <Undocumented models={data.models} />
      <div className={css.models}>
        {data.models.map((model) => (
          <Model key={model.name} model={model} />
        ))}
      </div>
    </Section>
  );
}

/** Says which models nobody outside knows the origin of, and what to do about it. */
function Undocumented({ models }: { models: SystemModel[] }) {
  const names = models.filter(({ origin }) => !origin.documented).map(({ name }) => name);
  if (names.length === 0) return null;
  return <p>{t("system.models.undocumented", { names: names.join(", ") })}</p>;
}

const small = new Intl.NumberFormat(words.locale, { maximumSignificantDigits: 2 });

function Model({ model }: { model: SystemModel }) {
  return (
    <article className={css.model}>
      <h3>{model.name}</h3>
      <State shape={model.fault ? "fail" : "pass"}>{model.fault ? said(model.fault) : t("system.model.fine")}</State>
      <p>
        <Said text={model.use} />
      </p>
      <dl className={css.facts}>
        <Fact name={t("system.model.version")}>{model.version}</Fact>
        <Fact name={t("system.model.licence")}>{model.licence}</Fact>
        <Fact name={t(model.origin.documented ? "system.model.origin" : "system.model.origin.undocumented")}>
          <Said text={model.origin.provenance} />
        </Fact>
        <Fact name={t("system.model.evaluation")}>
          <Said text={model.origin.evaluation} />
        </Fact>
        <Fact name={t("system.model.digest")}>
          <code className={css.digest}>{model.sha256}</code>
        </Fact>
        <Fact name={t("system.model.rates")}>
          {!model.rates && t("system.model.unmeasured")}
          {model.rates && (
            <ul className={css.rates}>
              {model.rates.map(({ threshold, fmr, fnmr }) => (
                <li key={threshold}>
                  {t("system.model.rate", {
                    threshold: numeral(threshold, 3),
                    fmr: small.format(fmr),
                    fnmr: small.format(fnmr),
                  })}
                </li>
              ))}
              <li>{model.data_set}</li>
            </ul>
          )}
        </Fact>
      </dl>
    </article>
  );
}
