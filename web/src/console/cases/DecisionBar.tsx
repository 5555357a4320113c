import { Button } from "@mantine/core";
import { useState } from "react";
import type { CaseFile, Me, SessionFile } from "../../api/wire.ts";
import type { ConsoleKey } from "../../i18n/console.ts";
import { usePageCommands } from "../parts/commands.ts";
import { titleOf } from "../parts/Failure.tsx";
import { useKeys } from "../parts/keys.ts";
import { t } from "../words.ts";
import { Assign } from "./Assign.tsx";
import { Change } from "./Change.tsx";
import { type Act, whyNot } from "./can.ts";
import css from "./DecisionBar.module.css";
import { AskAgain, Decline, WriteNote } from "./Dialogs.tsx";
import { Help } from "./Help.tsx";
import type { Redo } from "./queries.ts";
import { useDeciding } from "./useDeciding.ts";
import { useRenewal } from "./useRenewal.ts";
import { statusOf, Waiting } from "./Waiting.tsx";

type Dialog = "decline" | "redo" | "note" | "assign" | "change" | "help";

const steps = ["document_front", "document_back", "selfie"] as const;
const stepsOf = (found: CaseFile): Redo["step"][] => steps.filter((step) => found.steps.includes(step));

const acts: readonly { act: Act; word: ConsoleKey; key: string; look: "filled" | "default" | "subtle" }[] = [
  { act: "approve", word: "case.approve", key: "A", look: "filled" },
  { act: "decline", word: "case.decline", key: "D", look: "default" },
  { act: "redo", word: "case.redo", key: "R", look: "default" },
  { act: "note", word: "case.note", key: "N", look: "default" },
];

/** What a reviewer does about a case, by button or by key. A blocked button says why. */
export function DecisionBar({
  found,
  file,
  me,
  onNext,
  onBack,
  onQueue,
}: {
  found: CaseFile;
  file: SessionFile;
  me: Me;
  onNext: () => Promise<boolean>;
  onBack: () => void;
  onQueue: () => void;
}) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  // What is said is about the case as it was then: news of it are worth more than why a key did nothing.
  const news = [found.case.state, found.case.version, found.case.assignee?.id].join(" ");
  const [told, setTold] = useState<{ at: string; text: string | null }>({ at: news, text: null });
  const said = told.at === news ? told.text : null;
  const setSaid = (text: string | null) => setTold({ at: news, text });
  const deciding = useDeciding(found, me);
  const { waiting } = deciding;
  const closed = found.case.state === "closed";
  const decides = me.may.includes("cases.decide");
  const mine = found.case.assignee?.id === me.id;
  const why = (act: Act): string | null => {
    const no = whyNot(act, { case: found.case, me, file, steps: stepsOf(found) });
    if (no) return t(no);
    return waiting && act !== "note" ? t("case.why.sending") : null;
  };
  useRenewal(found.case.id, mine);

  const does: Record<Act, () => void> = {
    claim: deciding.claim,
    release: deciding.release,
    approve: () => deciding.settle({ outcome: "approved", reasons: [], note: "" }),
    decline: () => setDialog("decline"),
    redo: () => setDialog("redo"),
    note: () => setDialog("note"),
    assign: () => setDialog("assign"),
    change: () => setDialog("change"),
  };
  const press = (act: Act) => {
    const no = why(act);
    setSaid(no);
    if (!no) does[act]();
  };
  const next = () => {
    if (!decides) return setSaid(t("case.why.role"));
    setSaid(null);
    deciding.flush();
    void onNext().then(
      (any) => !any && setSaid(t("cases.nothing_left")),
      (error: unknown) => setSaid(titleOf(error)),
    );
  };
  const undo = () => deciding.undo();
  useKeys({
    a: () => press("approve"),
    d: () => press("decline"),
    r: () => press("redo"),
    n: () => press("note"),
    c: () => press("claim"),
    x: () => press("release"),
    g: () => press("assign"),
    u: undo,
    j: next,
    ArrowRight: next,
    k: onBack,
    ArrowLeft: onBack,
    q: onQueue,
    "?": () => setDialog("help"),
  });

  const offered = closed ? [changes] : waiting || !decides ? [] : [...acts, mine ? releases : claims, assigns];
  usePageCommands([
    ...offered.map(({ act, word }) => ({ name: t(word), why: why(act), run: () => press(act) })),
    ...(waiting ? [{ name: t("case.undo"), run: undo }] : []),
    ...(decides ? [{ name: t("case.next"), run: next }] : []),
    { name: t("help.back"), run: onBack },
    { name: t("case.keys"), run: () => setDialog("help") },
  ]);

  const button = ({ act, word, key, look }: (typeof acts)[number]) => {
    const no = why(act);
    return (
      <Button
        key={act}
        variant={look}
        className={css.act}
        aria-disabled={no !== null}
        data-blocked={no !== null}
        title={no ?? undefined}
        aria-keyshortcuts={key}
        onClick={() => press(act)}
        rightSection={<kbd className={css.key}>{key}</kbd>}
      >
        {t(word)}
      </Button>
    );
  };
  return (
    <section className={css.bar} data-bar aria-label={t("case.bar")}>
      {deciding.conflict && (
        <div className={css.conflict} role="alert">
          <p>
            <strong>{t("case.conflict.title")}</strong> {deciding.conflict}
          </p>
          <Button variant="default" size="compact-sm" onClick={deciding.understood}>
            {t("case.conflict.ok")}
          </Button>
        </div>
      )}
      <div className={css.row}>
        {waiting ? <Waiting waiting={waiting} onUndo={undo} /> : null}
        {!waiting && !closed && decides && acts.map(button)}
        {!waiting && closed && !why("change") && (
          <Button variant="default" onClick={() => press("change")}>
            {t("case.change")}
          </Button>
        )}
        <p className={css.status} role="status">
          {said ?? (deciding.error ? titleOf(deciding.error) : statusOf(found, me))}
          {!decides && !closed && said === null && ` ${t("case.why.role")}`}
        </p>
        <div className={css.end}>
          {!closed && !waiting && decides && button(mine ? releases : claims)}
          {!waiting && !why("assign") && button(assigns)}
          {decides && (
            <Button
              variant={closed ? "filled" : "default"}
              className={css.act}
              aria-keyshortcuts="J"
              onClick={next}
              rightSection={<kbd className={css.key}>J</kbd>}
            >
              {t("case.next")}
            </Button>
          )}
          <Button
            variant="subtle"
            className={css.help}
            aria-label={t("case.keys")}
            aria-keyshortcuts="?"
            onClick={() => setDialog("help")}
          >
            ?
          </Button>
        </div>
      </div>
      <Dialogs
        dialog={dialog}
        found={found}
        file={file}
        chooses={me.may.includes("cases.overrule")}
        onClose={() => setDialog(null)}
        onSettle={deciding.settle}
        onNote={deciding.note}
      />
    </section>
  );
}

const claims = { act: "claim", word: "case.claim", key: "C", look: "default" } as const;
const releases = { act: "release", word: "case.release", key: "X", look: "default" } as const;
const assigns = { act: "assign", word: "case.assign", key: "G", look: "default" } as const;
const changes = { act: "change", word: "case.change" } as const;

function Dialogs({
  dialog,
  found,
  file,
  chooses,
  onClose,
  onSettle,
  onNote,
}: {
  dialog: Dialog | null;
  found: CaseFile;
  file: SessionFile;
  chooses: boolean;
  onClose: () => void;
  onSettle: ReturnType<typeof useDeciding>["settle"];
  onNote: (note: string) => void;
}) {
  const then =
    <T,>(does: (what: T) => void) =>
    (what: T) => {
      onClose();
      does(what);
    };
  if (dialog === "decline")
    return <Decline referred={found.case.reasons} chooses={chooses} onDecline={then(onSettle)} onClose={onClose} />;
  if (dialog === "redo") return <AskAgain steps={stepsOf(found)} onAsk={then(onSettle)} onClose={onClose} />;
  if (dialog === "note") return <WriteNote onNote={then(onNote)} onClose={onClose} />;
  if (dialog === "assign") return <Assign one={found.case} onClose={onClose} />;
  if (dialog === "change") return <Change file={file} onClose={onClose} />;
  return dialog === "help" ? <Help onClose={onClose} /> : null;
}
