import { isHandheld } from "../browser.ts";
import { useWords } from "../words.tsx";
import { Button } from "./Button.tsx";

/** To another device, or back to the one that this came from; null where that is not offered. */
export type Move = { onHandoff: (() => void) | null; onBack: (() => void) | null };

/** The button to continue on another device; for a session that came from one, only the button back to it. */
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
