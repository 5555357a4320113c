import type { CaptureStep } from "../../api/wire.ts";
import { Button } from "../parts/Button.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import type { Picture } from "../picture.ts";
import { useWords } from "../words.tsx";
import css from "./Review.module.css";

type Props = {
  position: Position | null;
  step: CaptureStep;
  picture: Picture;
  onUse: () => void;
  onAgain: () => void;
  onStop: () => void;
};

/** Before anything is sent: the picture as large as it goes, and what to look for. */
export function Review({ position, step, picture, onUse, onAgain, onStop }: Props) {
  const { t } = useWords();
  const what = step === "selfie" ? "selfie" : "document";
  return (
    <Page
      position={position}
      onStop={onStop}
      title={t(`review.title.${what}`)}
      lead={t(`review.text.${what}`)}
      actions={
        <>
          <Button onClick={onUse}>{t("review.use")}</Button>
          <Button look="quiet" onClick={onAgain}>
            {t("review.again")}
          </Button>
        </>
      }
    >
      <div className={css.frame} data-what={what}>
        <img
          className={css.picture}
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt={t(`review.picture.${what}`)}
          data-mirrored={what === "selfie" && picture.from === "camera"}
        />
      </div>
    </Page>
  );
}
