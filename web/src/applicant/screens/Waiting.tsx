import { StateShape } from "../../ui/shapes.tsx";
import { Page } from "../parts/Page.tsx";
import { Ring } from "../parts/Ring.tsx";
import { useWords } from "../words.tsx";
import css from "./Waiting.module.css";

/**
 * Everything was sent, and that is all it says: an open ring that has not closed, and no tick beside "result".
 * `watched` says that it was sent from another device.
 */
export function Waiting({ watched = false }: { watched?: boolean }) {
  const { t } = useWords();
  return (
    <Page
      centred
      figure={<Ring />}
      title={t(watched ? "watch.sent_title" : "wait.title")}
      lead={t(watched ? "watch.sent_text" : "wait.text")}
    >
      <ol className={css.steps}>
        <li data-state="done">
          <StateShape shape="idle" size={18} />
          {t("wait.sent")}
        </li>
        <li data-state="now" aria-current="step">
          <StateShape shape="running" size={18} />
          {t("wait.checking")}
        </li>
        <li data-state="ahead">
          <span className={css.dot} aria-hidden="true" />
          {t("wait.result")}
        </li>
      </ol>
      <p className={css.safe}>{t(watched ? "watch.safe" : "wait.safe")}</p>
    </Page>
  );
}
