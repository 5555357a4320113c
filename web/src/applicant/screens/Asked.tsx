import type { DocumentKind, DocumentReply, TaskProblem } from "../../api/wire.ts";
import { Button } from "../parts/Button.tsx";
import { useProblemWords } from "../parts/Notice.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";

type Props = {
  position: Position | null;
  /** The question. */
  problem: TaskProblem;
  /** The kind of document that the person chose. */
  chosen: DocumentKind;
  /** The reply that is under way. */
  busy: DocumentReply | null;
  onReply: (reply: DocumentReply) => void;
  onRetake: () => void;
};

/** A guess about the document, which the person settles. It accuses nobody: each way on is an equal button. */
export function Asked({ position, problem, chosen, busy, onReply, onRetake }: Props) {
  const { t, has } = useWords();
  const words = useProblemWords()(problem);
  const kind = `asked.kind.${problem.document_kind}`;
  const differs = problem.code === "document.kind_differs" && has(kind);
  return (
    <Page
      position={position}
      title={differs ? t(kind) : words.title}
      lead={differs ? t("asked.chosen", { kind: t(`kind.${chosen}`) }) : words.remedy}
      actions={
        <>
          <Button look="equal" busy={busy === "continue"} onClick={() => busy ?? onReply("continue")}>
            {t("asked.continue")}
          </Button>
          <Button look="equal" busy={busy === "other"} onClick={() => busy ?? onReply("other")}>
            {t("asked.other")}
          </Button>
          <Button look="quiet" onClick={() => busy ?? onRetake()}>
            {t("asked.again")}
          </Button>
        </>
      }
    />
  );
}
