import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Mode } from "../../api/wire.ts";
import { absoluteDay, count } from "../insight/figures.ts";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import { said } from "../said.ts";
import { ago, capital, t } from "../words.ts";
import { type Concern, concernsOf, type Facts } from "./facts.ts";
import css from "./Start.module.css";

const inMode = (mode: Mode) => (mode === "live" ? { mode } : {});

/** What needs somebody, each with the page where it is mended. */
export function Attention({ facts, settled }: { facts: Facts; settled: boolean }) {
  const concerns = concernsOf(facts, Date.now());
  return (
    <Section title={t("attention.title")}>
      {concerns.length === 0 ? (
        <p className={css.well}>
          <State shape={settled ? "pass" : "running"}>{t(settled ? "attention.none" : "app.loading")}</State>
        </p>
      ) : (
        <ul className={css.list}>
          {concerns.map((one) => (
            <li key={JSON.stringify(one)} className={css.row}>
              <State
                shape={one.kind === "overdue" || one.kind === "webhook" || one.kind === "finding" ? "fail" : "unsure"}
              >
                {t(`attention.mode.${"mode" in one ? one.mode : "all"}`)}
              </State>
              <span className={css.what}>
                {textOf(one)}
                {actOf(one)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function textOf(one: Concern): string {
  switch (one.kind) {
    case "overdue":
      return t(one.n === 1 ? "attention.overdue_one" : "attention.overdue", { n: count(one.n) });
    case "webhook":
      return t("attention.webhook", { url: one.url });
    case "finding":
      return one.backup
        ? t("attention.backup", { found: said(one.found) })
        : t("attention.finding", { what: capital(said(one.what)), found: said(one.found) });
    case "key":
      return t(one.over ? "attention.key_expired" : "attention.key_soon", { name: one.name, when: ago(one.at) });
    case "draft":
      return t("attention.draft", { name: one.name, when: absoluteDay(one.since) });
    case "trust_old":
      return t("attention.trust_old", { date: absoluteDay(one.date) });
    case "trust_unusable":
    case "trust_pending":
      return t(`attention.${one.kind}`, { n: count(one.n) });
  }
}

function actOf(one: Concern): ReactNode {
  switch (one.kind) {
    case "overdue":
      return (
        <Link to="/console/cases" search={{ ...inMode(one.mode), tab: "all", overdue: true }}>
          {t("attention.act.cases")}
        </Link>
      );
    case "webhook":
      return (
        <Link to="/console/developers/webhooks/$id" params={{ id: one.id }} search={inMode(one.mode)}>
          {t("attention.act.webhook")}
        </Link>
      );
    case "key":
      return (
        <Link to="/console/developers/keys" search={inMode(one.mode)}>
          {t("attention.act.keys")}
        </Link>
      );
    case "draft":
      return (
        <Link to="/console/workflows/$id" params={{ id: one.id }} search={{}}>
          {t("attention.act.workflow")}
        </Link>
      );
    case "finding":
      return <Link to="/console/settings/system">{t("attention.act.system")}</Link>;
    default:
      return null; // trust lists have no page of their own
  }
}
