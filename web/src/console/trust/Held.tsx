import type { Trusted } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import css from "./Trust.module.css";
import { dayOf, daysSince } from "./trust.ts";

/** The lists in force: how old each is, until when it is good, and whether it is in use. */
export function Lists({ data: { lists, revocation_lists } }: { data: Trusted }) {
  const columns = [
    t("trust.column.list"),
    t("trust.column.state"),
    t("trust.column.age"),
    t("trust.column.until"),
    t("trust.column.entries"),
  ];
  const rows = [
    ...lists.map((one) => ({
      ...one,
      scope: one.kind === "vical" ? one.scope : countryName(one.scope),
      until: null,
      entries: one.certificates,
    })),
    ...revocation_lists.map((one) => ({
      ...one,
      kind: "revocation_list" as const,
      scope: one.purpose === "csca" ? countryName(one.scope) : one.scope,
    })),
  ];
  return (
    <Section title={t("trust.lists")}>
      {rows.length === 0 ? (
        <p className={css.soft}>{t("trust.lists.none")}</p>
      ) : (
        <Table caption={t("trust.lists")} columns={columns}>
          {rows.map(({ update, kind, scope, usable, dated, until, entries }) => (
            <tr key={update} className={cell.row}>
              <th scope="row" className={cell.first}>
                <span className={cell.name}>{scope}</span>
                <span className={css.under}>{t(`trust.kind.${kind}`)}</span>
              </th>
              <td>
                <State shape={usable ? "pass" : "fail"}>{t(usable ? "trust.usable.yes" : "trust.usable.no")}</State>
              </td>
              <td data-label={columns[2]} title={dayOf(dated)}>
                {t("trust.age", { n: daysSince(dated) })}
              </td>
              <td data-label={columns[3]} className={cell.quiet} data-empty={!until}>
                {until ? dayOf(until) : "–"}
              </td>
              <td data-label={columns[4]}>{entries}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** The issuers of wallets' credentials, each with the one type that it is trusted for. */
export function Wallets({ data: { others } }: { data: Trusted }) {
  const columns = [
    t("trust.column.type"),
    t("trust.column.for"),
    t("trust.column.authority"),
    t("trust.column.source"),
    t("trust.column.until"),
  ];
  return (
    <Section title={t("trust.wallets")}>
      <p className={css.soft}>{t(others.length === 0 ? "trust.wallets.none" : "trust.wallets.lead")}</p>
      {others.length > 0 && (
        <Table caption={t("trust.wallets")} columns={columns}>
          {others.map(({ purpose, scope, source, certificate }) => (
            <tr key={`${purpose} ${scope} ${certificate.sha256}`} className={cell.row}>
              <th scope="row" className={cell.first} title={scope}>
                <span className={cell.name}>{scope}</span>
              </th>
              <td className={cell.plain}>{t(`trust.purpose.${purpose}`)}</td>
              <td>
                <span title={certificate.sha256}>{certificate.subject}</span>
              </td>
              <td data-label={columns[3]} className={cell.quiet}>
                {source || "–"}
              </td>
              <td data-label={columns[4]} className={cell.quiet}>
                {dayOf(certificate.not_after)}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
