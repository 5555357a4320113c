import { Button } from "../parts/Button.tsx";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";

type Props = { position: Position | null; busy: boolean; onOther: () => void; onClose: () => void };

/** Before the document that was sent is put aside for another one, which cannot be undone. */
export function Other({ position, busy, onOther, onClose }: Props) {
  const { t } = useWords();
  return (
    <Page
      position={position}
      title={t("other.title")}
      lead={t("other.text")}
      actions={
        <>
          <Button onClick={busy ? undefined : onClose}>{t("stop.no")}</Button>
          <Button look="equal" busy={busy} onClick={onOther}>
            {t("asked.other")}
          </Button>
        </>
      }
    />
  );
}
