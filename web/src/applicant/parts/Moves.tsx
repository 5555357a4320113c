import { isHandheld } from "../browser.ts";
import { useWords } from "../words.tsx";
import { Button } from "./Button.tsx";

/** To another device, or back to the one that this came from; null where that is not offered. */
export type Move = { onHandoff: (() => void) | null; onBack: (() => void) | null };

/** The way to another device. Who came from one is only offered the way back. */
export function Moves({ move: { onHandoff, onBack }, first = false }: { move: Move; first?: boolean }) {
  const { t } = useWords();
  const look = first ? "primary" : "quiet";
  if (onBack) {
    return (
      <Button look={look} onClick={onBack}>
        {t("handoff.back")}
      </Button>
    );
  }
  return onHandoff ? (
    <Button look={look} onClick={onHandoff}>
      {t(isHandheld() ? "handoff.offer_other" : "handoff.offer")}
    </Button>
  ) : null;
}
