import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { Hit, HitState, ScreeningHit } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { Opinions } from "../parts/Opinions.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { absolute, labelOf, t } from "../words.ts";
import { Comparison } from "./Comparison.tsx";
import css from "./Hit.module.css";

const shapes: Record<HitState, Shape> = {
  open: "refer",
  unsure: "unsure",
  awaits_second: "refer",
  not_the_person: "pass",
  is_the_person: "fail",
};

/** One hit: who is listed beside who was read, what agrees, and what was decided. */
export function HitCard({
  hit,
  session = false,
  children,
}: {
  hit: Hit;
  /** Whether to link to the session, where the card is not on its page. */
  session?: boolean;
  children?: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { found } = hit;
  const Heading = session ? "h2" : "h3"; // the queue has no heading between its own and the cards'
  return (
    <article className={css.hit} data-state={hit.state} aria-labelledby={id}>
      <header className={css.head}>
        <Heading id={id} className={css.name}>
          <bdi>{found.listed || t("hit.masked")}</bdi>
        </Heading>
        <State shape={shapes[hit.state]}>{t(`hit.state.${hit.state}`)}</State>
      </header>
      <p className={css.where}>
        <strong data-band={found.band}>{t(`hit.band.${found.band}`)}</strong> · {t(`topic.${found.topic}`)} ·{" "}
        {found.list}
        {found.entry && ` · ${found.entry}`} · <Time iso={hit.opened_at} />
      </p>
      {found.read && (
        <p className={css.read}>
          {t("hit.as_read")} <bdi>{found.read}</bdi>
        </p>
      )}
      {session && (
        <p className={css.read}>
          <Link to="/console/sessions/$id" params={{ id: hit.session }} className={css.link}>
            {t("hit.session")}
          </Link>
        </p>
      )}
      <Chips found={found} />
      {found.mixed_scripts && <p className={css.warn}>{t("hit.mixed")}</p>}
      {hit.was?.listed && <Changed was={hit.was} now={found} />}
      <Comparison hit={found} />
      <Decided hit={hit} />
      <div className={css.acts}>
        {children}
        {found.listed && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={open}
            aria-controls={`${id}-more`}
            onClick={() => setOpen(!open)}
          >
            {t(open ? "hit.less" : "hit.more")}
          </Button>
        )}
      </div>
      {open && <Entry id={`${id}-more`} found={found} />}
    </article>
  );
}

/** A hit of a search by hand: nothing was decided, and nothing is kept. */
export function FoundCard({ found }: { found: ScreeningHit }) {
  const id = useId();
  return (
    <article className={css.hit} aria-labelledby={id}>
      <header className={css.head}>
        <h3 id={id} className={css.name}>
          <bdi>{found.listed}</bdi>
        </h3>
      </header>
      <p className={css.where}>
        <strong data-band={found.band}>{t(`hit.band.${found.band}`)}</strong> · {t(`topic.${found.topic}`)} ·{" "}
        {found.list} · {found.entry}
      </p>
      <Chips found={found} />
      <Comparison hit={found} />
      <Entry id={`${id}-more`} found={found} />
    </article>
  );
}

const facts = ["birth", "nationality", "sex", "document_number"] as const;

const agreement = (value: string): "agrees" | "close" | "differs" | "unknown" => {
  if (value === "same" || value === "agrees") return "agrees";
  if (value === "close") return "close";
  return value === "conflict" || value === "differs" ? "differs" : "unknown";
};

const signs = { agrees: "●", close: "◐", differs: "○", unknown: "–" } as const;

/** What beside the name agrees, differs or is not known: a sign and a word, never a colour alone. */
function Chips({ found }: { found: ScreeningHit }) {
  return (
    <ul className={css.chips}>
      <li>
        <span>{t("hit.fact.name")}</span> {labelOf("hit.grade", found.name_grade)}
      </li>
      {facts.map((fact) => {
        const how = agreement(found[fact]);
        return (
          <li key={fact} data-how={how}>
            <span>{t(`hit.fact.${fact}`)}</span> <span aria-hidden="true">{signs[how]}</span> {t(`hit.how.${how}`)}
          </li>
        );
      })}
    </ul>
  );
}

/** Of a hit that came back: what of the entry changed since it was decided. */
function Changed({ was, now }: { was: ScreeningHit; now: ScreeningHit }) {
  const rows = [
    { word: t("hit.entry.names"), before: [was.listed, ...was.names], after: [now.listed, ...now.names] },
    { word: t("hit.entry.births"), before: was.births, after: now.births },
  ].filter(({ before, after }) => [...before].sort().join() !== [...after].sort().join());
  return (
    <div className={css.changed}>
      <strong>{t("hit.changed")}</strong>
      <ul>
        {rows.map(({ word, before, after }) => (
          <li key={word}>
            {word}: <del>{before.filter((one) => !after.includes(one)).join(", ") || "–"}</del> →{" "}
            <ins>{after.filter((one) => !before.includes(one)).join(", ") || "–"}</ins>
          </li>
        ))}
        {rows.length === 0 && <li>{t("hit.changed.other")}</li>}
      </ul>
    </div>
  );
}

/** What reviewers said of a hit, and what holds now. */
function Decided({ hit }: { hit: Hit }) {
  if (hit.said.length === 0) return null;
  const now = [
    hit.valid_until && t("hit.until", { at: absolute(hit.valid_until) }),
    hit.state === "awaits_second" && t("hit.awaits_second"),
  ].filter(Boolean);
  return (
    <>
      <Opinions
        said={hit.said}
        decision={(value) => labelOf("hit.state", value)}
        reason={(value) => labelOf("hit.reason", value)}
      />
      {now.length > 0 && <p className={css.decided}>{now.join(" · ")}</p>}
    </>
  );
}

/** Everything that the list says of an entry, and which version of the list was searched. */
function Entry({ id, found }: { id: string; found: ScreeningHit }) {
  const rows: [string, string][] = [
    [t("hit.entry.names"), found.names.join(" · ")],
    [t("hit.entry.births"), found.births.join(", ")],
    [t("hit.entry.nationalities"), found.nationalities.join(", ")],
    [t("hit.entry.sexes"), found.sexes.join(", ")],
    [t("hit.entry.programmes"), found.programmes.join(", ")],
    [t("hit.entry.topics"), found.topics.map((topic) => labelOf("listed_for", topic)).join(", ")],
    [t("hit.entry.listed_on"), found.listed_on ?? ""],
    [t("hit.entry.remarks"), found.remarks ?? ""],
    [t("hit.entry.version"), found.version],
    [t("hit.entry.index"), found.index],
  ];
  return (
    <dl id={id} className={css.entry}>
      {rows
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
}
