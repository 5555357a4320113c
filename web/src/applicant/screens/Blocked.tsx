import type { CaptureStep } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { StateShape } from "../../ui/shapes.tsx";
import { browserOf, isHandheld, systemOf } from "../browser.ts";
import type { Obstacle } from "../camera.ts";
import { Button, FileButton } from "../parts/Button.tsx";
import { type Move, Moves } from "../parts/Moves.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import ending from "./Ending.module.css";
import css from "./Intro.module.css";

type Props = {
  position: Position | null;
  obstacle: Obstacle;
  step: CaptureStep;
  onRetry: () => void;
  /** The way without the camera; null where the step takes none. */
  onFile: ((file: File) => void) | null;
  /** Other ways to show that one is there. */
  onWays: (() => void) | null;
  move: Move;
};

/** What to do about it, in this browser on this system; null where the text says it all. */
const stepsOf: Record<Obstacle, () => Key | null> = {
  denied: () => `blocked.steps.${browserOf()}`,
  dismissed: () => null,
  system: () => `blocked.system.${systemOf()}`,
  missing: () => null,
  busy: () => (systemOf() === "ios" || systemOf() === "android" ? "blocked.busy.phone" : "blocked.busy.desktop"),
  insecure: () => null,
  inapp: () => (systemOf() === "ios" ? "blocked.outside.ios" : "blocked.outside.android"),
  unsupported: () => null,
};

/** The camera cannot be used: why, how to mend it in this browser, and the way without it. */
export function Blocked({ position, obstacle, step, onRetry, onFile, onWays, move }: Props) {
  const { t } = useWords();
  const steps = stepsOf[obstacle]();
  // Where trying again on this computer helps least, the phone comes first.
  const phoneFirst = !isHandheld() && (obstacle === "missing" || obstacle === "unsupported");
  return (
    <Page
      position={position}
      figure={
        <span className={ending.seal} data-shape="unsure">
          <StateShape shape="unsure" size={44} />
        </span>
      }
      title={t(`blocked.${obstacle}.title`)}
      lead={t(`blocked.${obstacle}.text`)}
      actions={
        <>
          {phoneFirst && <Moves move={move} first />}
          <Button look={phoneFirst ? "quiet" : "primary"} onClick={onRetry}>
            {t("blocked.retry")}
          </Button>
          {onFile && (
            <FileButton onFile={onFile} capture={step === "selfie" ? "user" : "environment"}>
              {t(step === "selfie" ? "capture.upload_selfie" : "capture.upload")}
            </FileButton>
          )}
          {onWays && (
            <Button look="quiet" onClick={onWays}>
              {t("live.ways")}
            </Button>
          )}
          {!phoneFirst && <Moves move={move} />}
        </>
      }
    >
      {steps && (
        <ol className={css.steps}>
          {t(steps)
            .split("|")
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </ol>
      )}
    </Page>
  );
}
