import { Button } from "../parts/Button.tsx";
import { Page, type Position, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Consent.module.css";

type Props = {
  position: Position | null;
  /** Whether a face is compared with the document, or the document is all there is. */
  subject: "face" | "document";
  busy: "given" | "declined" | null;
  onAnswer: (decision: "given" | "declined") => void;
};

/** Consent stands alone, and declining weighs the same as agreeing. */
export function Consent({ position, subject, busy, onAnswer }: Props) {
  const { t } = useWords();
  const { brand, test } = useAbout();
  return (
    <Page
      position={position}
      title={t(subject === "face" ? "consent.title" : "consent.document_title")}
      actions={
        <div className={css.pair}>
          <Button look="equal" busy={busy === "declined"} onClick={() => onAnswer("declined")}>
            {t("consent.decline")}
          </Button>
          <Button look="equal" busy={busy === "given"} onClick={() => onAnswer("given")}>
            {t("consent.agree")}
          </Button>
        </div>
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
      <p className={css.note}>{t("consent.note")}</p>
    </Page>
  );
}
