import type { CaptureStep } from "../../api/wire.ts";
import { Button } from "../parts/Button.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { isPDF, type Picture } from "../picture.ts";
import { useWords } from "../words.tsx";
import css from "./Review.module.css";

type Props = {
  position: Position | null;
  step: CaptureStep;
  picture: Picture;
  onUse: () => void;
  onAgain: () => void;
};

/** Before anything is sent: the picture as large as it goes, and what to look for. */
export function Review({ position, step, picture, onUse, onAgain }: Props) {
  const { t } = useWords();
  const what = step === "selfie" ? "selfie" : "document";
  const words = isPDF(picture.blob) ? "file" : what;
  return (
    <Page
      position={position}
      title={t(`review.title.${words}`)}
      lead={t(`review.text.${words}`)}
      actions={
        <>
          <Button onClick={onUse}>{t(words === "file" ? "review.use_file" : "review.use")}</Button>
          <Button look="quiet" onClick={onAgain}>
            {t(words === "file" ? "review.again_file" : "review.again")}
          </Button>
        </>
      }
    >
      {words === "file" ? (
        <p className={css.file}>{picture.blob instanceof File ? picture.blob.name : "PDF"}</p>
      ) : (
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
      )}
    </Page>
  );
}
