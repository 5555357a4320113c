import type { ScreeningHit } from "../../api/wire.ts";
import { labelOf, t } from "../words.ts";
import css from "./Hit.module.css";
import { differing, type Run } from "./letters.ts";

/** The name as listed beside the name as read, word by word: what was paired with what, how, and which letters differ. */
export function Comparison({ hit }: { hit: ScreeningHit }) {
  if (!hit.parts?.length) return null; // whom personal data is masked for gets none
  return (
    <table className={css.parts}>
      <caption className="visually-hidden">{t("hit.parts")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("hit.read")}</th>
          <th scope="col">{t("hit.listed")}</th>
          <th scope="col">{t("hit.means")}</th>
        </tr>
      </thead>
      <tbody>
        {hit.parts.map((part, i) => {
          const { one, other } = differing(part.read ?? "", part.listed ?? "");
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice
            <tr key={i} data-means={part.means}>
              <td>{part.read ? <Letters of={one} /> : <Nothing />}</td>
              <td>{part.listed ? <Letters of={other} /> : <Nothing />}</td>
              <td>
                {labelOf("hit.means", part.means)}
                <span className={css.soft}>{rarity(part.bits)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const Nothing = () => (
  <span className={css.soft} title={t("hit.no_word")}>
    –
  </span>
);

function Letters({ of }: { of: Run[] }) {
  return (
    <bdi>
      {of.map(({ text, same }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other name
        same ? <span key={i}>{text}</span> : <mark key={i}>{text}</mark>,
      )}
    </bdi>
  );
}

/** How rare a word is, in words: bits say nothing to most people. */
function rarity(bits: number): string {
  if (bits <= 0) return "";
  if (bits < 5) return t("hit.rarity.common");
  return t(bits < 9 ? "hit.rarity.uncommon" : "hit.rarity.rare");
}
