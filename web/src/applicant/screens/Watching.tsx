import { useState } from "react";
import type { HandoffStatus } from "../../api/wire.ts";
import { endingOfTask } from "../endings.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import { EndingScreen } from "./Ending.tsx";
import css from "./Handoff.module.css";
import { Waiting } from "./Waiting.tsx";

type Props = {
  status: HandoffStatus;
  returnUrl: string;
  /** Takes the session back. The live updates then bring the task. */
  onTake: () => Promise<unknown>;
};

/** Follows a session that another device has: the step it is at there, and at the end the result. */
export function Watching({ status, returnUrl, onTake }: Props) {
  const { t } = useWords();
  const [taking, setTaking] = useState(false);
  const take = () => {
    setTaking(true);
    onTake().catch(() => setTaking(false));
  };
  const ending = endingOfTask(status.state);
  if (ending) {
    const task = { session: status.session, problem: null, notices: status.notices, return_url: returnUrl };
    return <EndingScreen ending={ending} task={task} />;
  }
  if (status.state === "wait") return <Waiting watched />;
  const position = status.position > 0 ? { n: status.position, total: status.total } : null;
  return (
    <Page
      centred
      position={position}
      figure={<Phone />}
      title={t("watch.title")}
      lead={t("watch.text")}
      actions={
        <Button look="equal" busy={taking} onClick={take}>
          {t("handoff.here")}
        </Button>
      }
    >
      <p className={css.step} role="status">
        {position && t("app.progress", position)}
      </p>
      <p className={css.note}>{t("watch.kept")}</p>
    </Page>
  );
}

/** A phone that the other screen follows. */
function Phone() {
  return (
    <svg className={css.phone} viewBox="0 0 96 96" width="104" height="104" aria-hidden="true" focusable="false">
      <rect x="30" y="12" width="36" height="72" rx="7" className={css.body} />
      <path d="M43 76h10" className={css.line} />
      <path d="M40 46l6 6 11-12" className={css.line} />
      <path d="M18 34a20 20 0 0 0 0 28M78 34a20 20 0 0 1 0 28" className={css.wave} />
    </svg>
  );
}
