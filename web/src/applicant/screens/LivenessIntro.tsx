import type { Challenge, TaskProblem } from "../../api/wire.ts";
import { showsLight } from "../liveness/light.ts";
import { Button } from "../parts/Button.tsx";
import { Figure } from "../parts/Figures.tsx";
import { type Move, Moves } from "../parts/Moves.tsx";
import { ProblemBox } from "../parts/Notice.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Intro.module.css";

type Props = {
  position: Position | null;
  challenge: Challenge;
  problem: TaskProblem | null;
  triesLeft: number;
  onCamera: () => void;
  onWays: () => void;
  /** Goes on without a face; null where that is not offered. */
  onFaceless: (() => void) | null;
  move: Move;
};

/** Before the recording: what is asked, how long it takes, and the way for those who cannot. */
export function LivenessIntro({ position, challenge, problem, triesLeft, onCamera, onWays, onFaceless, move }: Props) {
  const { t } = useWords();
  const seconds = Math.ceil(challenge.duration_ms / 1000);
  return (
    <Page
      position={position}
      title={t("live.title")}
      lead={problem ? undefined : t(challenge.gentle ? "live.text_gentle" : "live.text", { n: seconds })}
      actions={
        <>
          <Button onClick={onCamera}>{t(problem ? "capture.camera_again" : "capture.camera")}</Button>
          <Button look="quiet" onClick={onWays}>
            {t("live.ways")}
          </Button>
          {onFaceless && (
            <Button look="quiet" onClick={onFaceless}>
              {t("consent.faceless")}
            </Button>
          )}
          <Moves move={move} />
        </>
      }
    >
      {problem && (
        <>
          <ProblemBox problem={problem} />
          <p className={css.step}>
            <span>{t(challenge.gentle ? "live.text_gentle" : "live.text", { n: seconds })}</span>
            <span className={css.tries}>{t("capture.tries", { n: triesLeft })}</span>
          </p>
        </>
      )}
      <div className={css.figure}>
        <Figure name="turns" label={t("capture.right")} />
        <p className={css.caption}>{t(showsLight(challenge) ? "live.note_lit" : "live.note")}</p>
      </div>
    </Page>
  );
}
