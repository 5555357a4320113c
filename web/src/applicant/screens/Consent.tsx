import type { Subject } from "../calls.ts";
import { Button } from "../parts/Button.tsx";
import { Page, type Position, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Consent.module.css";

type Props = {
  position: Position | null;
  /** Whether a face is compared with the document, or the document is all there is. */
  subject: Subject;
  /** The check goes on without a face; where the document is asked about, the person can still agree to both. */
  optional: boolean;
  busy: "given" | "declined" | null;
  onAnswer: (decision: "given" | "declined") => void;
  onFace: () => void;
};

/** The consent page. It asks for nothing else, and declining looks the same as agreeing. */
export function Consent({ position, subject, optional, busy, onAnswer, onFace }: Props) {
  const { t } = useWords();
  const { brand, test } = useAbout();
  const leadsOn = optional && subject === "face";
  return (
    <Page
      position={position}
      title={t(subject === "face" ? "consent.title" : "consent.document_title")}
      actions={
        <>
          <div className={css.pair}>
            <Button look="equal" busy={busy === "declined"} onClick={() => onAnswer("declined")}>
              {t(leadsOn ? "consent.faceless" : "consent.decline")}
            </Button>
            <Button look="equal" busy={busy === "given"} onClick={() => onAnswer("given")}>
              {t("consent.agree")}
            </Button>
          </div>
          {optional && subject === "document" && (
            <Button look="quiet" onClick={onFace}>
              {t("consent.reconsider")}
            </Button>
          )}
        </>
      }
    >
      <dl className={css.facts}>
        <dt>{t("consent.why_title")}</dt>
        <dd>{t(subject === "face" ? "consent.why" : "consent.document_why")}</dd>
        <dt>{t("consent.what_title")}</dt>
        <dd>{t("consent.what", { brand: brand || "Bonafide" })}</dd>
        <dt>{t("consent.kept_title")}</dt>
        <dd>{test ? t("consent.kept_test") : t("consent.kept", { brand: brand || "Bonafide" })}</dd>
      </dl>
      <p className={css.note}>{t(leadsOn ? "consent.note_optional" : "consent.note")}</p>
    </Page>
  );
}
