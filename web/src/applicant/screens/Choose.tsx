import { lazy, Suspense, useEffect, useRef } from "react";
import type { DocumentKind, Issuer, TaskProblem } from "../../api/wire.ts";
import { nameOf } from "../country.ts";
import { type Move, Moves } from "../parts/Moves.tsx";
import { ProblemBox } from "../parts/Notice.tsx";
import { Page, type Position, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Choose.module.css";

const Country = lazy(async () => ({ default: (await import("./Country.tsx")).Country }));

const twoSided: Record<DocumentKind, boolean> = {
  passport: false,
  id_card: true,
  visa: false,
  residence_permit: true,
  driving_licence: true,
  unknown: false,
};

/** The kinds that people may look for. */
const identifying: DocumentKind[] = ["passport", "id_card", "residence_permit", "driving_licence"];

type Props = {
  position: Position | null;
  accepts: DocumentKind[];
  /** What the country is chosen from; null until that is there. */
  issuers: readonly Issuer[] | null;
  /** The issuer of the document, where the workflow asks for it. */
  issuer: Issuer | null;
  /** What is asked now. The kind follows the country on the same page. */
  asks: "nothing" | "country" | "kind";
  problem: TaskProblem | null;
  busy: boolean;
  onCountry: (issuer: Issuer) => void;
  onChange: () => void;
  onChoose: (kind: DocumentKind) => void;
  move: Move;
};

/** Which document will be shown. The country is preset where it can be guessed, and the list of countries opens in its place. */
export function Choose(props: Props) {
  const { position, issuers, issuer, asks, problem, onCountry, onChange, move } = props;
  const { t, locale } = useWords();
  const chosen = useRef<HTMLSpanElement>(null);
  const opened = useRef(false);
  // What is pressed to open or close the list is gone then, and with it the focus.
  useEffect(() => {
    if (asks === "country") opened.current = true;
    else if (opened.current) chosen.current?.focus();
  }, [asks]);
  const changed = useRef(false);
  return (
    <Page position={position} title={t("choose.title")} lead={t("choose.text")} actions={<Moves move={move} />}>
      {problem && <ProblemBox problem={problem} />}
      {asks === "nothing" && <Loading />}
      {asks === "country" && (
        <Suspense fallback={<Loading />}>
          <Country issuers={issuers ?? []} asked={changed.current} onCountry={onCountry} />
        </Suspense>
      )}
      {asks === "kind" && issuer && (
        <p className={css.issuer}>
          <span ref={chosen} tabIndex={-1}>
            {t("country.chosen", { country: nameOf(issuer, locale) })}
          </span>
          <button
            type="button"
            className={css.change}
            onClick={() => {
              changed.current = true;
              onChange();
            }}
          >
            {t("country.change")}
          </button>
        </p>
      )}
      {asks === "kind" && <Kinds {...props} />}
    </Page>
  );
}

function Loading() {
  const { t } = useWords();
  return (
    <p className={css.others} role="status">
      {t("app.loading")}
    </p>
  );
}

function Kinds({ accepts, busy, onChoose }: Props) {
  const { t, either } = useWords();
  const { brand } = useAbout();
  const others = identifying.filter((kind) => !accepts.includes(kind));
  return (
    <>
      <ul className={css.kinds}>
        {accepts.map((kind) => (
          <li key={kind}>
            <button type="button" className={css.kind} aria-disabled={busy} onClick={() => busy || onChoose(kind)}>
              <Outline kind={kind} />
              <span className={css.words}>
                <span className={css.name}>{t(`kind.${kind}`)}</span>
                <span className={css.hint}>{t(twoSided[kind] ? "choose.two_sides" : "choose.one_side")}</span>
              </span>
              <svg
                className={css.arrow}
                viewBox="0 0 12 20"
                width="10"
                height="18"
                aria-hidden="true"
                focusable="false"
              >
                <path
                  d="M2 2l8 8-8 8"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="2.5"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className={css.others}>
          {t("choose.others", {
            kinds: either(others.map((kind) => t(`kind.listed.${kind}`))),
            brand: brand || "Bonafide",
          })}
        </p>
      )}
    </>
  );
}

const outlines: Record<DocumentKind, string> = {
  passport:
    "M8 3h20a2 2 0 0 1 2 2v26a2 2 0 0 1-2 2H8zM14 24h10M19 8.5a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM13.500 14h11",
  id_card:
    "M4 8h28a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM7 13h7v9H7zM19 14h10M19 18h10M19 22h6",
  visa: "M6 5h24a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM9 11h7v8H9zM20 12h7M20 16h7M9 26h18M9 23h18",
  residence_permit:
    "M4 8h28a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM7 13h7v9H7zM19 22v-5l5-4 5 4v5z",
  driving_licence:
    "M4 8h28a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM7 13h7v9H7zM19 20v-3l2-4h6l2 4v3zM21 20v2M27 20v2M19 17h10",
  unknown: "M6 5h24v26H6zM11 12h14M11 18h14M11 24h9",
};

function Outline({ kind }: { kind: DocumentKind }) {
  return (
    <svg className={css.outline} viewBox="0 0 36 36" width="36" height="36" aria-hidden="true" focusable="false">
      <path
        d={outlines[kind]}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
