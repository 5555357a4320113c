import { lazy, Suspense, useEffect, useState } from "react";
import { Refused } from "../../api/failure.ts";
import type { DocumentKind, Opened, Peeked, Task } from "../../api/wire.ts";
import { isInApp, systemOf } from "../browser.ts";
import { calls } from "../calls.ts";
import { type Ending, endingOfProblem, endingOfSession } from "../endings.ts";
import { Button } from "../parts/Button.tsx";
import { AboutProvider, brand, Page, useAbout } from "../parts/Page.tsx";
import { EndingScreen } from "../screens/Ending.tsx";
import { type About, storage } from "../storage.ts";
import { useWords } from "../words.tsx";
import css from "./Start.module.css";

/** Few need it, so that it is no part of what everybody loads. */
const Code = lazy(() => import("./Code.tsx"));

type State =
  | { at: "peeking" }
  | { at: "ready"; peeked: Peeked; opening: boolean }
  | { at: "ended"; ending: Ending; peeked?: Peeked }
  | { at: "failed"; requestId: string };

function failed(error: unknown): State {
  if (!(error instanceof Refused)) return { at: "failed", requestId: "" };
  const ending = endingOfProblem(error.problem.code);
  return ending ? { at: "ended", ending } : { at: "failed", requestId: error.problem.request_id ?? "" };
}

const aboutOf = ({ brand, mode }: Peeked): About => ({ brand, test: mode === "test" });

let ahead: { link: string; peeked: Promise<Peeked> } | undefined;

/** Looks at the link while the words are on their way and the page is put together. */
export function peekAhead(link: string): void {
  ahead = { link, peeked: calls.peek(link) };
  ahead.peeked.catch(() => undefined); // told below
}

/** The first look is the one that was sent ahead; each later one is new. */
function peek(link: string): Promise<Peeked> {
  const first = ahead?.link === link ? ahead.peeked : calls.peek(link);
  ahead = undefined;
  return first;
}

/** The start screen. Looking changes nothing, because link previews look too; the button opens the session. */
export function Start({ link, onOpened }: { link: string; onOpened: (session: string, task: Task) => void }) {
  const { suggest } = useWords();
  const [state, setState] = useState<State>({ at: "peeking" });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new try
  useEffect(() => {
    let left = false;
    peek(link).then(
      (peeked) => {
        if (left) return;
        suggest(peeked.locale);
        const open =
          peeked.handoff ||
          peeked.continues === "code" ||
          (peeked.state === "capturing" && peeked.continues !== "proof");
        const ending = open ? undefined : endingOfSession(peeked.state);
        setState(ending ? { at: "ended", ending, peeked } : { at: "ready", peeked, opening: false });
      },
      (error: unknown) => !left && setState(failed(error)),
    );
    return () => {
      left = true;
    };
  }, [link, suggest, round]);

  if (state.at === "peeking") return <Loading />;
  if (state.at === "ended") {
    const { ending, peeked } = state;
    if (!peeked) return <EndingScreen ending={ending} />;
    return (
      <AboutProvider value={aboutOf(peeked)}>
        <EndingScreen ending={ending} />
      </AboutProvider>
    );
  }
  if (state.at === "failed") {
    const again = () => {
      setState({ at: "peeking" });
      setRound(round + 1);
    };
    return <EndingScreen ending="failed" requestId={state.requestId} onRetry={again} />;
  }

  const { peeked } = state;
  const about = aboutOf(peeked);
  const opened = ({ token, key, task }: Opened) => {
    const { session } = task;
    storage.saveSession(link, session, token, about);
    storage.keep({ session, link, key, locale: peeked.locale, came: peeked.handoff, about }, task.deadline);
    onOpened(session, task);
  };
  const begin = () => {
    setState({ ...state, opening: true });
    calls.open(link).then(opened, (error: unknown) => {
      const next = failed(error);
      setState(next.at === "ended" ? { ...next, peeked } : next);
    });
  };
  return (
    <AboutProvider value={about}>
      {peeked.continues === "code" ? (
        <Suspense fallback={<Loading />}>
          <Code link={link} hint={peeked.hint} onOpened={opened} />
        </Suspense>
      ) : peeked.handoff ? (
        <Arrival opening={state.opening} onBegin={begin} />
      ) : peeked.state === "capturing" ? (
        <Resume opening={state.opening} onBegin={begin} />
      ) : (
        <Welcome peeked={peeked} opening={state.opening} onBegin={begin} />
      )}
    </AboutProvider>
  );
}

export function Loading() {
  const { t } = useWords();
  return (
    <Page title={t("app.loading")} centred>
      <span className={css.ring} aria-hidden="true" />
    </Page>
  );
}

/** Continues here what another browser began: before a picture was sent, or with a new link. */
function Resume({ opening, onBegin }: { opening: boolean; onBegin: () => void }) {
  const { t } = useWords();
  const { brand } = useAbout();
  return (
    <Page
      title={t("start.resume_title")}
      lead={t("start.resume_text", { brand })}
      actions={
        <Button busy={opening} onClick={onBegin}>
          {opening ? t("start.opening") : t("start.resume")}
        </Button>
      }
    >
      {isInApp() && <Outside />}
    </Page>
  );
}

/** Continues here what was begun on another device. Warns a person whom somebody else sent the code. */
function Arrival({ opening, onBegin }: { opening: boolean; onBegin: () => void }) {
  const { t } = useWords();
  const { brand } = useAbout();
  return (
    <Page
      title={t("handoff.begin_title")}
      lead={t("handoff.begin_text", { brand })}
      actions={
        <Button busy={opening} onClick={onBegin}>
          {opening ? t("start.opening") : t("handoff.begin")}
        </Button>
      }
    >
      {isInApp() && <Outside />}
      <p className={css.test}>{t("handoff.begin_warning")}</p>
    </Page>
  );
}

const iconOf = {
  document: "M4 6h24v20H4zM8 11h7v9H8zM19 12h6M19 16h6M19 20h4",
  face: "M16 5a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM5 29c1-5 5-7 11-7s10 2 11 7",
};

function Need({ icon, title, hint }: { icon: keyof typeof iconOf; title: string; hint: string }) {
  return (
    <li className={css.need}>
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
        <path
          d={iconOf[icon]}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </svg>
      <span>
        <span className={css.needTitle}>{title}</span>
        <span className={css.needHint}>{hint}</span>
      </span>
    </li>
  );
}

/**
 * In a browser inside another app there is mostly no camera, and once the session is opened it stays in that browser:
 * so it is said before.
 */
function Outside() {
  const { t } = useWords();
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = () =>
    (navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <aside className={css.outside} aria-label={t("start.outside.title")}>
      <p className={css.needTitle}>{t("start.outside.title")}</p>
      <ol className={css.outsideSteps}>
        {t(systemOf() === "ios" ? "blocked.outside.ios" : "blocked.outside.android")
          .split("|")
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ol>
      <Button look="quiet" onClick={() => void copy()}>
        {t("start.outside.copy")}
      </Button>
      <p role="status">
        {copied && t("start.outside.copied")}
        {copied === false && <code className={css.link}>{location.href}</code>}
      </p>
    </aside>
  );
}

function Welcome({ peeked, opening, onBegin }: { peeked: Peeked; opening: boolean; onBegin: () => void }) {
  const { t, date, either, language } = useWords();
  const kinds = either(peeked.accepts.map((kind: DocumentKind) => t(`kind.listed.${kind}`)));
  return (
    <Page
      title={t("start.title", { brand: peeked.brand })}
      lead={
        <>
          {brand.hello(language)}
          <p>{t("start.text")}</p>
        </>
      }
      actions={
        <Button busy={opening} onClick={onBegin}>
          {opening ? t("start.opening") : t("start.begin")}
        </Button>
      }
    >
      <ul className={css.needs}>
        {peeked.steps.includes("document_front") && (
          <Need icon="document" title={t("start.need.document")} hint={t("start.need.document_hint", { kinds })} />
        )}
        {peeked.steps.includes("selfie") && (
          <Need icon="face" title={t("start.need.selfie")} hint={t("start.need.selfie_hint")} />
        )}
      </ul>
      {isInApp() && <Outside />}
      {peeked.mode === "test" && <p className={css.test}>{t("app.test_mode_long")}</p>}
      <p className={css.until}>{t("start.until", { date: date(peeked.expires_at) })}</p>
    </Page>
  );
}
