import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import { t } from "../words.ts";
import { type Facts, type Step, stepsOf } from "./facts.ts";
import css from "./Start.module.css";

/** Where each step is taken. */
const places = {
  key: { to: "/console/developers/keys", search: {} },
  workflow: { to: "/console/workflows", search: {} },
  webhook: { to: "/console/developers/webhooks", search: {} },
  test: { to: "/console/developers/sandbox", search: {} },
  live: { to: "/console/sessions", search: { mode: "live" } },
} as const satisfies Record<Step, { to: string; search: object }>;

/** The first steps of an empty deployment. They are gone once all are done, or when somebody hides them in this browser. */
export function FirstSteps({ facts }: { facts: Facts }) {
  const [hidden, setHidden] = useLocalStorage({ key: "bonafide-first-steps-hidden", defaultValue: false });
  const steps = stepsOf(facts);
  const done = steps.filter((one) => one.done).length;
  if (hidden || steps.length < 2 || done === steps.length) return null;
  const next = steps.find((one) => !one.done)?.step;
  return (
    <Section title={t("start.title")}>
      <div className={css.head}>
        <p className={css.quiet}>
          {t("start.progress", { done, all: steps.length })} · {t("start.text")}
        </p>
        <Button size="compact-sm" variant="subtle" onClick={() => setHidden(true)}>
          {t("start.hide")}
        </Button>
      </div>
      <ol className={css.list}>
        {steps.map(({ step, done: ticked }) => (
          <li key={step} className={css.row} data-next={step === next}>
            <State shape={ticked ? "pass" : "idle"}>{t(ticked ? "start.done" : "start.open")}</State>
            <span className={css.what}>
              {ticked ? <span>{t(`start.${step}`)}</span> : <Link {...places[step]}>{t(`start.${step}`)}</Link>}
              <small>{t(`start.${step}_text`)}</small>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
