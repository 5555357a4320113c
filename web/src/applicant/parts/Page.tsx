import { createContext, type ReactNode, use, useEffect, useRef, useSyncExternalStore } from "react";
import { languages } from "../../i18n/languages.ts";
import { brandOf } from "../../ui/brand.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { About } from "../storage.ts";
import { useWords } from "../words.tsx";
import css from "./Page.module.css";

export const brand = brandOf(document);

/** Before a session is known, also where a link leads to none, the page says who serves it. */
const AboutContext = createContext<About>({ brand: brand.name, test: false });
export const AboutProvider = AboutContext;
/** Returns the name of the integrator that asks, and whether the session is a test. */
export const useAbout = () => use(AboutContext);

/** What stands before and after the brand: the way back, and what can be done on any step. */
const HeaderContext = createContext<{ start?: ReactNode; end?: ReactNode }>({});
export const HeaderProvider = HeaderContext;

const online = {
  subscribe(changed: () => void) {
    addEventListener("online", changed);
    addEventListener("offline", changed);
    return () => {
      removeEventListener("online", changed);
      removeEventListener("offline", changed);
    };
  },
  now: () => navigator.onLine,
};

export type Position = { n: number; total: number };

type PageProps = {
  title: string;
  /** At most two sentences. */
  lead?: ReactNode;
  children?: ReactNode;
  /** The primary action, then the way out. They stay at the thumb. */
  actions?: ReactNode;
  /** A shape above the heading. */
  figure?: ReactNode;
  position?: Position | null;
  centred?: boolean;
};

/** Names the page in the tab and for screen readers: what it shows, the step, and the integrator's brand. */
export function useTitle(title: string, position?: Position | null): void {
  const { t } = useWords();
  const about = useAbout();
  const step = position ? t("app.progress", position) : "";
  useEffect(() => {
    if (title) document.title = [title, step, about.brand || "Bonafide"].filter(Boolean).join(" · ");
  }, [title, step, about.brand]);
}

/** One thought a screen. Each new screen takes the focus to its heading, so that it is read out. */
export function Page({ title, lead, children, actions, figure, position, centred = false }: PageProps) {
  const { t, language, speak } = useWords();
  const about = useAbout();
  const { start, end } = use(HeaderContext);
  const heading = useRef<HTMLHeadingElement>(null);
  const connected = useSyncExternalStore(online.subscribe, online.now);

  useTitle(title, position);
  useEffect(() => {
    if (!title) return; // the words are on their way
    // In a frame of another page the focus stays there until the person, or that page, brings it here.
    if (window.parent === window || document.hasFocus()) heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);

  return (
    <div className={css.page}>
      <a className={css.skip} href="#content">
        {t("app.skip")}
      </a>
      <header className={css.header}>
        {start}
        <span className={css.brand}>
          {brand.logo ? <img className={css.logo} src={brand.logo} alt="" /> : <Mark size={22} />}
          <span className={css.brandName}>{about.brand || "Bonafide"}</span>
        </span>
        {about.test && (
          <span className={css.test} title={t("app.test_mode_long")}>
            {t("app.test_mode")}
          </span>
        )}
        {end}
      </header>
      <main id="content" className={centred ? css.mainCentred : css.main}>
        {position && <Progress {...position} />}
        <p className={css.offline} role="status" hidden={connected}>
          {connected ? "" : t("app.offline")}
        </p>
        <div className={css.content}>
          {figure && <div className={css.figure}>{figure}</div>}
          <h1 ref={heading} tabIndex={-1} className={css.title}>
            {title}
          </h1>
          {lead && <div className={css.lead}>{lead}</div>}
          {children}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </main>
      <footer className={css.footer}>
        <span>
          {about.brand ? t("app.footer", { brand: about.brand }) : t("app.footer_plain")}
          <Links />
        </span>
        <label className={css.language}>
          <span className={css.hidden}>{t("app.language")}</span>
          <select value={language} onChange={(event) => speak(event.target.value)}>
            {Object.entries(languages).map(
              ([value, { name, tag }]) =>
                (!brand.languages || brand.languages.includes(value)) && (
                  <option key={value} value={value} lang={tag}>
                    {name}
                  </option>
                ),
            )}
          </select>
        </label>
      </footer>
    </div>
  );
}

function Progress({ n, total }: Position) {
  const { t } = useWords();
  return (
    <div className={css.progress}>
      <span className={css.segments} aria-hidden="true">
        {Array.from({ length: total }, (_, i) => i + 1).map((step) => (
          <span key={step} className={step < n ? css.done : step === n ? css.now : css.ahead} />
        ))}
      </span>
      <span className={css.progressText}>{t("app.progress", { n, total })}</span>
    </div>
  );
}

/** The operator's help and privacy notice. They open beside the flow, which stays where it is. */
function Links() {
  const { t } = useWords();
  const links = [
    { href: brand.privacy, name: t("app.privacy") },
    { href: brand.support, name: t("app.support") },
  ].filter(({ href }) => href);
  if (links.length === 0) return null;
  return (
    <span className={css.links}>
      {links.map(({ href, name }) => (
        <a key={href} href={href} target="_blank" rel="noreferrer noopener">
          {name}
        </a>
      ))}
    </span>
  );
}
