import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Trusted } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import css from "./Trust.module.css";
import { coverOf, dayOf, type Filter, filters, found, revocationOf } from "./trust.ts";

/** The countries with an authority, how well each is covered, and the states that nobody vouches for. */
export function Countries({ data }: { data: Trusted }) {
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const countries = found(data, text, filter);
  const columns = [
    t("trust.column.country"),
    t("trust.column.state"),
    t("trust.column.authorities"),
    t("trust.column.revocation"),
    t("trust.column.expiry"),
  ];
  return (
    <Section title={t("trust.countries")}>
      <p className={css.soft}>{t("trust.countries.lead", { n: data.countries.length })}</p>
      {data.countries.length > 0 && (
        <div className={css.search}>
          <TextInput
            type="search"
            label={t("trust.countries.search")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <NativeSelect
            label={t("trust.countries.filter")}
            value={filter}
            onChange={(event) => setFilter(filters.find((one) => one === event.currentTarget.value) ?? "all")}
            data={filters.map((value) => ({ value, label: t(`trust.filter.${value}`) }))}
          />
        </div>
      )}
      <p className="visually-hidden" role="status">
        {t("trust.countries.lead", { n: countries.length })}
      </p>
      {data.countries.length > 0 && countries.length === 0 && <p className={css.soft}>{t("trust.countries.none")}</p>}
      {countries.length > 0 && (
        <Table caption={t("trust.countries")} columns={columns}>
          {countries.map((one) => {
            const { cover, shape } = coverOf(one);
            const revocation = revocationOf(data, one.country);
            return (
              <tr key={one.country} className={cell.row}>
                <th scope="row" className={cell.first}>
                  <span className={cell.name}>{countryName(one.country)}</span>{" "}
                  <span className={cell.code}>{one.country}</span>
                </th>
                <td>
                  <State shape={shape}>{t(`trust.cover.${cover}`)}</State>
                </td>
                <td data-label={columns[2]}>
                  {t("trust.authorities", { valid: one.valid, roots: one.roots })}
                  {one.links > 0 && <span className={css.under}>{t("trust.links", { n: one.links })}</span>}
                </td>
                <td data-label={columns[3]} className={cell.quiet}>
                  {revocation.state === "good" && !revocation.until
                    ? t("trust.revocation.open")
                    : t(`trust.revocation.${revocation.state}`, { day: dayOf(revocation.until ?? "") })}
                </td>
                <td data-label={columns[4]} className={cell.quiet}>
                  {dayOf(one.last_expiry)}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <Gaps gaps={data.gaps} />
    </Section>
  );
}

function Gaps({ gaps }: { gaps: readonly string[] }) {
  if (gaps.length === 0) return null;
  const names = gaps.map(countryName).sort((a, b) => a.localeCompare(b));
  return (
    <details className={css.gaps}>
      <summary>{t("trust.gaps", { n: gaps.length })}</summary>
      <p className={css.soft}>{t("trust.gaps.lead")}</p>
      <ul className={css.names}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  );
}
