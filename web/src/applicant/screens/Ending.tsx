import { useEffect } from "react";
import type { Task } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { Mark } from "../../ui/Mark.tsx";
import { type Shape, StateShape } from "../../ui/shapes.tsx";
import { withHost } from "../host.ts";
import { Button } from "../parts/Button.tsx";
import { Badge, NotChecked, useProblemWords } from "../parts/Notice.tsx";
import { brand as operator, Page, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Ending.module.css";

/** Every way a flow can end, as a row: what it looks like and which words it uses. No two look alike. */
export type Ending =
  | "approved"
  | "review"
  | "exhausted"
  | "declined"
  | "expired"
  | "cancelled"
  | "declinedConsent"
  | "finished"
  | "elsewhere"
  | "handedBack"
  | "used"
  | "over"
  | "unknown"
  | "failed";

type Row = { shape: Shape; title: Key; text: Key; badge: Key | null; verdict: boolean };

const rows: Record<Ending, Row> = {
  approved: { shape: "pass", title: "approved.title", text: "approved.text", badge: "approved.badge", verdict: true },
  review: {
    shape: "refer",
    title: "review_result.title",
    text: "review_result.text",
    badge: "review_result.badge",
    verdict: true,
  },
  exhausted: {
    shape: "refer",
    title: "exhausted.title",
    text: "exhausted.text",
    badge: "exhausted.badge",
    verdict: true,
  },
  declined: { shape: "fail", title: "declined.title", text: "declined.text", badge: "declined.badge", verdict: true },
  expired: { shape: "idle", title: "expired.title", text: "expired.text", badge: "expired.badge", verdict: false },
  cancelled: {
    shape: "idle",
    title: "cancelled.title",
    text: "cancelled.text",
    badge: "cancelled.badge",
    verdict: false,
  },
  declinedConsent: {
    shape: "idle",
    title: "declined_consent.title",
    text: "declined_consent.text",
    badge: "declined_consent.badge",
    verdict: false,
  },
  finished: { shape: "idle", title: "finished.title", text: "finished.text", badge: "finished.badge", verdict: false },
  elsewhere: {
    shape: "idle",
    title: "elsewhere.title",
    text: "elsewhere.text",
    badge: "elsewhere.badge",
    verdict: false,
  },
  handedBack: {
    shape: "idle",
    title: "handed_back.title",
    text: "handed_back.text",
    badge: "handed_back.badge",
    verdict: false,
  },
  used: {
    shape: "idle",
    title: "handoff_used.title",
    text: "handoff_used.text",
    badge: "handoff_used.badge",
    verdict: false,
  },
  over: {
    shape: "idle",
    title: "handoff_over.title",
    text: "handoff_over.text",
    badge: "handoff_over.badge",
    verdict: false,
  },
  unknown: { shape: "idle", title: "notfound.title", text: "notfound.text", badge: "notfound.badge", verdict: false },
  failed: { shape: "unsure", title: "failed.title", text: "failed.text", badge: null, verdict: false },
};

type Props = {
  ending: Ending;
  task?: Pick<Task, "session" | "problem" | "notices" | "return_url"> | null;
  /** The check began on another device, and goes on there. */
  elsewhere?: boolean;
  requestId?: string;
  onRetry?: () => void;
};

/** Where no face was compared, "your document and your picture belong together" would be too much. */
const wordsOf = (ending: Ending, notices: readonly string[]): Key =>
  ending === "approved" && notices.includes("face_not_compared") ? "approved.text_document" : rows[ending].text;

export function EndingScreen({ ending, task, elsewhere = false, requestId, onRetry }: Props) {
  const { t } = useWords();
  const { brand } = useAbout();
  const row = rows[ending];
  useEffect(() => withHost(({ ended }) => ended(ending)), [ending]);
  return (
    <Page
      centred
      figure={<Seal shape={row.shape} />}
      title={t(row.title)}
      lead={t(wordsOf(ending, task?.notices ?? []), { brand: brand || "Bonafide" })}
      actions={
        onRetry ? (
          <Button onClick={onRetry}>{t("failed.retry")}</Button>
        ) : task?.return_url && !elsewhere ? (
          <Return url={task.return_url} />
        ) : undefined
      }
    >
      {row.badge && (
        <p className={css.badge}>
          <Badge shape={row.shape}>{t(row.badge)}</Badge>
        </p>
      )}
      {elsewhere && row.verdict && <p className={css.next}>{t("result.elsewhere")}</p>}
      {ending === "declinedConsent" && operator.support && (
        <p className={css.next}>
          <a className={css.contact} href={operator.support} target="_blank" rel="noreferrer noopener">
            {t("declined_consent.contact", { brand: brand || "Bonafide" })}
          </a>
        </p>
      )}
      {ending === "declined" && <Why problem={task?.problem ?? null} />}
      {row.verdict && <NotChecked codes={task?.notices ?? []} />}
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

function Return({ url }: { url: string }) {
  const { t } = useWords();
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  return (
    <a className={css.return} href={url} target="_top">
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
