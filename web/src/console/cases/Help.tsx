import type { ConsoleKey } from "../../i18n/console.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import css from "./Dialogs.module.css";

const rows: readonly [keys: readonly string[], does: ConsoleKey][] = [
  [["A"], "help.approve"],
  [["D"], "help.decline"],
  [["R"], "help.redo"],
  [["N"], "help.note"],
  [["C"], "help.claim"],
  [["X"], "help.release"],
  [["G"], "help.assign"],
  [["U"], "help.undo"],
  [["J", "→"], "help.next"],
  [["K", "←"], "help.back"],
  [["Q"], "help.queue"],
  [["+", "−", "0"], "help.zoom"],
  [["T"], "help.turn"],
  [["B"], "help.boxes"],
  [["S"], "help.suspects"],
  [["?"], "help.help"],
];

/** Every key of the page of a case. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Sheet onClose={onClose} title={t("help.title")}>
      <dl className={css.keys}>
        {rows.map(([keys, does]) => (
          <div key={does} className={css.pair}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
