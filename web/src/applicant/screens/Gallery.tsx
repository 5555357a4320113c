import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Task } from "../../api/wire.ts";
import gallery from "../../i18n/gallery.json";
import { speaker } from "../../i18n/translate.ts";
import { bearer, calls } from "../calls.ts";
import { galleryVersion } from "../galleryVersion.ts";
import { Button } from "../parts/Button.tsx";
import { Page, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Consent.module.css";
import own from "./Gallery.module.css";

type Props = { token: string; question: NonNullable<Task["gallery"]>; onTask: (task: Task) => void };
type Decision = "given" | "declined";

/** Asks whether the face may be compared with those of other people. Both answers look the same, and lead to the same next step. */
export function Gallery({ token, question, onTask }: Props) {
  const { t, language, locale } = useWords();
  const about = useAbout();
  const brand = about.brand || "Bonafide";
  const words = speaker(locale, gallery[language]);
  const [busy, setBusy] = useState<Decision | null>(null);
  const time = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: "unit",
    unit: "month",
    unitDisplay: "long",
  }).format(question.months);
  const answer = async (decision: Decision) => {
    setBusy(decision);
    const body = { decision, about: "gallery", text_version: galleryVersion, locale } as const;
    try {
      // Another tab may have answered, or gone on: what is next now.
      onTask(
        await unwrap(api.POST("/v1/applicant/consent", { ...bearer(token), body })).catch(() => calls.task(token)),
      );
    } catch {
      setBusy(null); // no connection: the buttons can be pressed again
    }
  };
  return (
    <Page
      title={words.t("title")}
      actions={
        <div className={css.pair}>
          <Button look="equal" busy={busy === "declined"} onClick={() => void answer("declined")}>
            {t("consent.decline")}
          </Button>
          <Button look="equal" busy={busy === "given"} onClick={() => void answer("given")}>
            {t("consent.agree")}
          </Button>
        </div>
      }
    >
      <dl className={css.facts}>
        <dt>{t("consent.why_title")}</dt>
        <dd>{words.t("why", { brand })}</dd>
        <dt>{words.t("own", { brand })}</dt>
        <dd className={own.own}>{question.text}</dd>
        <dt>{t("consent.kept_title")}</dt>
        <dd>{words.t("kept", { brand, time })}</dd>
      </dl>
      <p className={css.note}>{words.t("note")}</p>
    </Page>
  );
}
