import { Page, type Position } from "../parts/Page.tsx";
import { isPDF, type Picture } from "../picture.ts";
import { useWords } from "../words.tsx";
import css from "./Sending.module.css";

type Props = {
  position: Position | null;
  picture: Picture | null;
  /** Frames are sent, not a picture. */
  run?: boolean;
  part: number;
  paused: boolean;
};

/** The picture moves. When the connection is gone it says so, keeps the picture, and goes on by itself. */
export function Sending({ position, picture, run = false, part, paused }: Props) {
  const { t, percent: inPercent } = useWords();
  const percent = Math.round(part * 100);
  return (
    <Page
      position={position}
      title={t(paused ? "sending.paused_title" : run ? "sending.title_run" : "sending.title")}
      lead={t(paused ? (run ? "sending.paused_run" : "sending.paused") : "sending.text")}
    >
      {picture && !isPDF(picture.blob) && (
        <div className={css.frame} data-paused={paused}>
          <img className={css.picture} src={picture.url} alt="" />
        </div>
      )}
      <div
        className={css.bar}
        role="progressbar"
        aria-label={t(run ? "sending.title_run" : "sending.title")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <svg className={css.track} viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <rect width={percent} height="2" className={css.fill} />
        </svg>
      </div>
      <p className={css.text} role="status">
        {paused ? "" : percent < 100 ? t("sending.progress", { part: inPercent(percent / 100) }) : t("sending.looking")}
      </p>
    </Page>
  );
}
