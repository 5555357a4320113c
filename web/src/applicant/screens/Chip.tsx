import { useEffect, useMemo, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { ChipChoice, ChipProgress, Task } from "../../api/wire.ts";
import texts from "../../i18n/chip.json";
import { type Language, languages } from "../../i18n/languages.ts";
import test from "../../i18n/test-chip.json";
import { type Dictionary, speaker } from "../../i18n/translate.ts";
import { bearer } from "../calls.ts";
import { Button } from "../parts/Button.tsx";
import { Page, type Position, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Chip.module.css";
import list from "./Choose.module.css";
import bar from "./Sending.module.css";

/** How often the page asks how far the app is. */
const pollEvery = 1000;

const choices: readonly ChipChoice[] = ["genuine", "other_name", "other_face", "copy", "changed", "untrusted"];

/** These texts load with this screen: few people see it, and every language's first screen would weigh more by them. */
const words: Record<Language, Dictionary<keyof (typeof texts)["en"]>> = texts;

type Props = {
  position: Position | null;
  task: Task;
  token: string;
  onTask: (task: Task) => void;
  onFailed: (error: unknown) => void;
  /** Goes on without a chip. */
  onWithout: () => void;
};

/**
 * A browser cannot read a chip: the page says where to go on, and shows how far the integrator's app is. When the chip was taken, live
 * updates bring the next task.
 */
export function Chip({ position, task, token, onTask, onFailed, onWithout }: Props) {
  const { language } = useWords();
  const { brand } = useAbout();
  const { t, percent } = useMemo(() => speaker(languages[language].tag, words[language]), [language]);
  const progress = useProgress(token);
  const [testing, setTesting] = useState(false);
  if (testing) return <TestChip position={position} token={token} onTask={onTask} onFailed={onFailed} />;
  const part = progress.of > 0 ? Math.floor((100 * progress.read) / progress.of) : 0;
  const says = { none: t("waiting"), open: t("waiting"), reading: t("reading"), stopped: t("lost") }[progress.state];
  return (
    <Page
      position={position}
      title={t("title")}
      lead={t("text", { brand: brand || "Bonafide" })}
      actions={
        <>
          <Button look="equal" onClick={onWithout}>
            {t("without")}
          </Button>
          {task.chip_test && (
            <Button look="quiet" onClick={() => setTesting(true)}>
              <span lang="en">{test.use}</span>
            </Button>
          )}
        </>
      }
    >
      <p className={css.state} role="status" data-state={progress.state}>
        {says}
      </p>
      {progress.state === "reading" && (
        <div
          className={bar.bar}
          role="progressbar"
          aria-label={t("reading")}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={part}
          aria-valuetext={t("part", { part: percent(part / 100) })}
        >
          <svg
            className={bar.track}
            viewBox="0 0 100 2"
            preserveAspectRatio="none"
            aria-hidden="true"
            focusable="false"
          >
            <rect width={part} height="2" className={bar.fill} />
          </svg>
        </div>
      )}
      <p className={css.note}>{t("without_text")}</p>
    </Page>
  );
}

const nothing: ChipProgress = { state: "none", reading: "", read: 0, of: 0 };

/** How far an app is with the chip of the session. */
function useProgress(token: string): ChipProgress {
  const [progress, setProgress] = useState(nothing);
  useEffect(() => {
    let left = false;
    const look = () =>
      unwrap(api.GET("/v1/applicant/chip", bearer(token))).then(
        (now) => left || setProgress(now),
        () => undefined, // the next look
      );
    const timer = setInterval(() => void look(), pollEvery);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [token]);
  return progress;
}

type TestProps = Pick<Props, "position" | "token" | "onTask" | "onFailed">;

/** The chip of test mode, without an app and a document. Whoever integrates chooses which one is sent. English only. */
function TestChip({ position, token, onTask, onFailed }: TestProps) {
  const [busy, setBusy] = useState<ChipChoice | null>(null);
  const send = (choice: ChipChoice) => {
    if (busy) return;
    setBusy(choice);
    unwrap(api.POST("/v1/applicant/steps/chip/test", { ...bearer(token), body: { choice } })).then(onTask, onFailed);
  };
  return (
    <Page position={position} title={test.use} lead={test.text}>
      <ul className={list.kinds} lang="en" dir="ltr">
        {choices.map((choice) => (
          <li key={choice}>
            <button
              type="button"
              className={list.kind}
              aria-disabled={busy !== null}
              aria-busy={busy === choice}
              onClick={() => send(choice)}
            >
              <span className={list.words}>
                <span className={list.name}>{test[choice]}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}
