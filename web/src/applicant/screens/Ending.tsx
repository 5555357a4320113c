import { type ReactNode, useEffect } from "react";
import type { Task } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { Mark } from "../../ui/Mark.tsx";
import { type Shape, StateShape } from "../../ui/shapes.tsx";
import { type Ending, endings } from "../endings.ts";
import { withHost } from "../host/withHost.ts";
import { Button } from "../parts/Button.tsx";
import { Badge, useProblemWords } from "../parts/Notice.tsx";
import { brand as operator, Page, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Ending.module.css";

type Props = {
  ending: Ending;
  task?: Pick<Task, "session" | "problem" | "notices" | "return_url"> | null;
  /** The check began on another device and continues there. */
  elsewhere?: boolean;
  requestId?: string;
  onRetry?: () => void;
  /** What the person can do instead of going back to the integrator. */
  instead?: ReactNode;
};

/** Returns the key of the text. Without a comparison of faces it must not say that the document and the picture belong together. */
const textOf = (ending: Ending, notices: readonly string[]): Key =>
  ending === "approved" && notices.includes("face_not_compared")
    ? "approved.text_document"
    : `${endings[ending].texts}.text`;

/** The screen of an ending: nothing more can be done, but for going back to the integrator or trying again. */
export function EndingScreen({ ending, task, elsewhere = false, requestId, onRetry, instead }: Props) {
  const { t } = useWords();
  const { brand } = useAbout();
  const row = endings[ending];
  const back = task?.return_url && !elsewhere ? <Return url={task.return_url} quiet={!!instead} /> : undefined;
  useEffect(() => withHost(({ postEnding }) => postEnding(ending)), [ending]);
  return (
    <Page
      centred
      figure={<Seal shape={row.shape} />}
      title={t(`${row.texts}.title`)}
      lead={
        <>
          {t(textOf(ending, task?.notices ?? []), { brand: brand || "Bonafide" })}
          {ending === "approved" && !elsewhere && ` ${t("approved.close")}`}
        </>
      }
      actions={
        onRetry ? (
          <Button onClick={onRetry}>{t("failed.retry")}</Button>
        ) : instead ? (
          <>
            {instead}
            {back}
          </>
        ) : (
          back
        )
      }
    >
      {row.badge && (
        <p className={css.badge}>
          <Badge shape={row.shape}>{t(`${row.texts}.badge`)}</Badge>
        </p>
      )}
      {elsewhere && row.verdict && !instead && <p className={css.next}>{t("result.elsewhere")}</p>}
      {ending === "declined" && <Why problem={task?.problem ?? null} />}
      {ending !== "approved" && operator.support && (
        <p className={css.next}>
          <a className={css.contact} href={operator.support} target="_blank" rel="noreferrer noopener">
            {t("result.contact", { brand: brand || "Bonafide" })}
          </a>
        </p>
      )}
      {requestId && <p className={css.small}>{t("failed.request", { brand: brand || "Bonafide", id: requestId })}</p>}
      {task && (
        <p className={css.small}>
          {t("result.reference")} <code>{task.session}</code>
        </p>
      )}
    </Page>
  );
}

function Why({ problem }: { problem: Task["problem"] }) {
  const { t } = useWords();
  const words = useProblemWords();
  // A better picture mends these only while there are tries; now the answer is final.
  const mendable = /^(capture|face|liveness)\./;
  if (!problem) return <p className={css.next}>{t("declined.next_default")}</p>;
  const { title, remedy } = words(problem);
  return (
    <div className={css.why}>
      <p className={css.whyTitle}>{title}</p>
      <p className={css.whyNext}>{t("declined.next")}</p>
      <p>{mendable.test(problem.code) ? t("declined.next_default") : remedy}</p>
    </div>
  );
}

function Return({ url, quiet }: { url: string; quiet: boolean }) {
  const { t } = useWords();
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  return (
    <a className={quiet ? css.returnQuiet : css.return} href={url} target="_top">
      {t("result.return", { host: new URL(url).host })}
    </a>
  );
}

function Seal({ shape }: { shape: Shape }) {
  return (
    <span className={css.seal} data-shape={shape}>
      {shape === "pass" ? <Mark size={72} closed /> : <StateShape shape={shape} size={shape === "refer" ? 48 : 52} />}
    </span>
  );
}
