import type { CaptureStep, DocumentKind, TaskProblem } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { Button, FileButton } from "../parts/Button.tsx";
import { Figure, figureOf } from "../parts/Figures.tsx";
import { type Move, Moves } from "../parts/Moves.tsx";
import { ProblemBox } from "../parts/Notice.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Intro.module.css";

type Props = {
  position: Position | null;
  step: CaptureStep;
  kind: DocumentKind;
  /** A picture of this step was lost as the page loaded again. */
  lost: boolean;
  problem: TaskProblem | null;
  triesLeft: number;
  busy?: boolean;
  onCamera: () => void;
  /** The way without the camera; null where only the camera counts. */
  onFile: ((file: File) => void) | null;
  /** Goes on without a face; null where that is not offered. */
  onFaceless: (() => void) | null;
  move: Move;
};

/** The title of a step: keyed by step and kind, where a kind has words of its own. */
function useStepTitle(): (step: CaptureStep, kind: DocumentKind) => string {
  const { t, has } = useWords();
  return (step, kind) => {
    if (step === "selfie") return t("selfie.title");
    const side = step === "document_front" ? "front" : "back";
    const key = `${side}.title.${kind}`;
    const fallback: Key = side === "front" ? "front.title.unknown" : "back.title.unknown";
    return t(has(key) ? key : fallback);
  };
}

function leadOf(step: CaptureStep, kind: DocumentKind): Key {
  if (step === "selfie") return "selfie.text";
  if (step === "document_back") return "document.text_back";
  return kind === "passport" || kind === "visa" ? "document.text_passport" : "document.text";
}

/** Before the camera: what to photograph and how. After a refusal also what was wrong, and how many tries are left. */
export function Intro({
  position,
  step,
  kind,
  lost,
  problem,
  triesLeft,
  busy = false,
  onCamera,
  onFile,
  onFaceless,
  move,
}: Props) {
  const { t } = useWords();
  const title = useStepTitle()(step, kind);
  return (
    <Page
      position={position}
      title={title}
      lead={problem ? undefined : t(leadOf(step, kind))}
      actions={
        <>
          <Button busy={busy} onClick={onCamera}>
            {t(problem ? "capture.camera_again" : "capture.camera")}
          </Button>
          {onFile && (
            <FileButton onFile={onFile} {...(step === "selfie" ? { capture: "user" } : {})}>
              {t(step === "selfie" ? "capture.upload_selfie" : "capture.upload")}
            </FileButton>
          )}
          {onFaceless && (
            <Button look="quiet" onClick={onFaceless}>
              {t("consent.faceless")}
            </Button>
          )}
          <Moves move={move} />
        </>
      }
    >
      {lost && !problem && (
        <p className={css.lost} role="status">
          {t("capture.lost")}
        </p>
      )}
      {problem && (
        <>
          <ProblemBox problem={problem} />
          <p className={css.step}>
            <span>{t("capture.again_title")}</span>
            <span className={css.tries}>{t("capture.tries", { n: triesLeft })}</span>
          </p>
        </>
      )}
      <div className={css.figure}>
        <Figure name={figureOf(step, kind)} {...(problem ? {} : { label: t("capture.right") })} />
        {problem && <p className={css.caption}>{t("capture.right")}</p>}
      </div>
    </Page>
  );
}
