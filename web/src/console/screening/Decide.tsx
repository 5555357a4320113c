import type { Hit } from "../../api/wire.ts";
import { type Act, Decide, DecisionForm } from "../parts/Decide.tsx";
import { labelOf, t } from "../words.ts";
import { calls, type Decision, refreshHits } from "./queries.ts";

type What = Decision["decision"];

/** The buttons with which a reviewer decides a hit. */
export function DecideButtons({
  hit,
  reasons,
  keys = false,
}: {
  hit: Hit;
  reasons: readonly string[];
  /** Whether to show the keys that do the same. */
  keys?: boolean;
}) {
  const second = hit.state === "awaits_second";
  const acts: Act<What>[] = [
    { what: "not_the_person", word: t("hit.not"), key: "N" },
    { what: "is_the_person", word: t(second ? "hit.confirm" : "hit.is"), key: "Y" },
    { what: "unsure", word: t("hit.unsure"), key: "U" },
  ];
  return (
    <Decide
      acts={keys ? acts : acts.map(({ what, word }) => ({ what, word }))}
      form={(what, onClose) => <DecideHit hit={hit} what={what} reasons={reasons} onClose={onClose} />}
    />
  );
}

/** The form of one decision about a hit. */
export function DecideHit({
  hit,
  what,
  reasons,
  onClose,
}: {
  hit: Hit;
  what: What;
  reasons: readonly string[];
  onClose: () => void;
}) {
  const not = what === "not_the_person";
  return (
    <DecisionForm
      title={t(`hit.decide.${what}`)}
      text={t(`hit.decide.${what}.text`)}
      word={t("decide.send")}
      reasons={not ? { all: reasons, word: (reason) => labelOf("hit.reason", reason), likely: likely(hit) } : undefined}
      until={not}
      send={async ({ reason, note, until }) => {
        try {
          await calls.decide(hit, { decision: what, reason, note, valid_until: until });
        } finally {
          refreshHits(hit.session);
        }
      }}
      onClose={onClose}
    />
  );
}

/** The reason that the comparison itself suggests. */
function likely({ found }: Hit): string {
  if (found.birth === "conflict") return "other_birth";
  if (found.sex === "differs") return "other_sex";
  return found.nationality === "differs" ? "other_nationality" : "other_name";
}
