import type { LinkDecided, LinkDecision, SeenSign } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { Decide, DecisionForm } from "../parts/Decide.tsx";
import { shortId } from "../parts/ids.ts";
import { Opinions } from "../parts/Opinions.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { labelOf, t } from "../words.ts";
import { type Pair, seenCalls } from "./queries.ts";
import css from "./Seen.module.css";

type What = LinkDecision["decision"];

const shapes: Record<LinkDecided["state"], Shape> = {
  open: "refer",
  unsure: "unsure",
  awaits_second: "refer",
  not_the_same: "idle",
  same_person: "idle",
};

/** What was decided about two sessions. Nothing where nobody said anything. */
export function Decided({ of }: { of: LinkDecided }) {
  if (of.state === "open" && !of.returned && of.said.length === 0) return null;
  return (
    <span className={css.decided}>
      <State shape={shapes[of.state]}>{t(`link.state.${of.state}`)}</State>
      <span className={css.soft}>
        {of.returned && `${t("link.returned")} `}
        {of.state === "awaits_second" && `${t("link.awaits_second")} `}
        {of.said.length === 0 && (
          <>
            {of.reason && `${labelOf("link.reason", of.reason)}. `}
            {of.decided_at && <Time iso={of.decided_at} />}
          </>
        )}
      </span>
      {of.said.length > 0 && (
        <Opinions
          said={of.said}
          decision={(value) => (value === "open" ? t("link.undone") : labelOf("link.state", value))}
          reason={(value) => labelOf("link.reason", value)}
        />
      )}
    </span>
  );
}

/** What can be said: of what is decided, only that it is undone. */
function offered({ state }: LinkDecided): What[] {
  switch (state) {
    case "not_the_same":
    case "same_person":
      return ["open"];
    case "open":
      return ["not_the_same", "same_person", "unsure"];
    default:
      return ["not_the_same", "same_person", "unsure", "open"];
  }
}

/** The buttons with which a reviewer decides about two sessions, and the form that each opens. */
export function DecideButtons({ pair, reasons }: { pair: Pair; reasons: readonly string[] }) {
  const both = t("link.between", { one: shortId(pair.session), other: shortId(pair.other) });
  const word = (what: What): string => {
    if (what === "open") return t("link.undo");
    return t(what === "same_person" && pair.decided.state === "awaits_second" ? "link.confirm" : `link.${what}`);
  };
  return (
    <Decide
      acts={offered(pair.decided).map((what) => ({
        what,
        word: word(what),
        label: t("link.act", { act: word(what), pair: both }),
      }))}
      form={(what, onClose) => (
        <DecisionForm
          title={t(`link.decide.${what}`)}
          about={
            <>
              <strong>{both}</strong>: {signsOf(pair.signs)}
            </>
          }
          text={t(`link.decide.${what}.text`)}
          word={t(what === "open" ? "link.undo" : "decide.send")}
          reasons={
            what === "not_the_same"
              ? { all: reasons, word: (reason) => labelOf("link.reason", reason), likely: likely(pair.signs) }
              : undefined
          }
          send={({ reason, note }) => seenCalls.decide(pair, { decision: what, reason, note })}
          onClose={onClose}
        />
      )}
    />
  );
}

const wordOf = (sign: SeenSign): string => {
  if (sign === "other_face") return t("seen.face.other");
  return sign === "other_facts" ? t("seen.facts.differ") : t(`seen.same.${sign}`);
};

/** The signs in words: first what is the same, then what differs. */
export const signsOf = (signs: readonly SeenSign[]): string => signs.map(wordOf).join(" · ");

/** The reason that the signs themselves suggest. */
function likely(signs: readonly SeenSign[]): string {
  if (signs.includes("other_face")) return "other_face";
  return signs.includes("person") ? "namesake" : "relative";
}
