import { useState } from "react";
import { isTransient } from "../../api/failure.ts";
import type { Task } from "../../api/wire.ts";
import { Button } from "../parts/Button.tsx";
import { useWords } from "../words.tsx";
import css from "./Ending.module.css";
import { EndingScreen } from "./Ending.tsx";

type Props = {
  task: Task;
  elsewhere: boolean;
  /** Begins again with another document; rejects where it did not. */
  onAgain: () => Promise<unknown>;
  onRefused: (error: unknown) => void;
};

/** The end after a decline for the document, from which the person may begin once more with another one. */
export function Again({ task, elsewhere, onAgain, onRefused }: Props) {
  const { t, date } = useWords();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const begin = () => {
    setState("busy");
    onAgain().catch((error: unknown) => (isTransient(error) ? setState("failed") : onRefused(error)));
  };
  return (
    <EndingScreen
      ending="declined"
      task={task}
      elsewhere={elsewhere}
      instead={
        <>
          <p className={css.offer}>{t("again.text", { date: date(task.deadline ?? "") })}</p>
          {state === "failed" && (
            <p className={css.offer} role="alert">
              {t("again.failed")}
            </p>
          )}
          <Button busy={state === "busy"} onClick={begin}>
            {t("again.button")}
          </Button>
        </>
      }
    />
  );
}
