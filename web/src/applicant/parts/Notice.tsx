import type { ReactNode } from "react";
import type { TaskProblem } from "../../api/wire.ts";
import { type Shape, StateShape } from "../../ui/shapes.tsx";
import { useWords } from "../words.tsx";
import css from "./Notice.module.css";

type ProblemWords = { title: string; remedy: string; lang: string };

/** A reason in the reader's language, by its code. One without a translation is in English, as the server's catalogue says it. */
export function useProblemWords(): (problem: TaskProblem) => ProblemWords {
  const { t, has, locale } = useWords();
  return ({ code, title, remedy, expiry }) => {
    const titleKey = `problem.${code}.title`;
    const remedyKey = `problem.${code}.remedy`;
    const datedKey = `problem.${code}.dated`;
    const dated = expiry && has(datedKey) ? t(datedKey, { date: dayOf(expiry, locale) }) : null;
    if (!has(titleKey) || !has(remedyKey)) return { title: dated ?? title, remedy, lang: "en" };
    return { title: dated ?? t(titleKey), remedy: t(remedyKey), lang: locale };
  };
}

/** A day of the calendar, YYYY-MM-DD, as the reader writes it. */
const dayOf = (day: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** What was wrong, and the one thing to do about it. */
export function ProblemBox({ problem, children }: { problem: TaskProblem; children?: ReactNode }) {
  const words = useProblemWords()(problem);
  return (
    <div role="alert">
      <Refusal title={words.title} lang={words.lang}>
        <p>{words.remedy}</p>
        {children}
      </Refusal>
    </div>
  );
}

/** A box with what prevents the next step. */
export function Refusal({ title, lang, children }: { title: string; lang?: string; children: ReactNode }) {
  return (
    <div className={css.problem} lang={lang}>
      <StateShape shape="unsure" size={22} />
      <div>
        <p className={css.problemTitle}>{title}</p>
        {children}
      </div>
    </div>
  );
}

export function Badge({ shape, children }: { shape: Shape; children: ReactNode }) {
  return (
    <span className={css.badge} data-shape={shape}>
      <StateShape shape={shape} size={16} />
      {children}
    </span>
  );
}
