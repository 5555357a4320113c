import { useEffect, useState } from "react";
import type { Task, WalletChoice, WalletRequest } from "../../api/wire.ts";
import words from "../../i18n/test-wallet.json";
import { Page, type Position } from "../parts/Page.tsx";
import { type Reason, reasonOf } from "../wallet/ask.ts";
import { type Asked, askedOf } from "../wallet/asked.ts";
import { walletCalls } from "../wallet/calls.ts";
import choose from "./Choose.module.css";
import css from "./TestWallet.module.css";

const choices: readonly WalletChoice[] = [
  "share",
  "other_name",
  "other_face",
  "no_portrait",
  "expired",
  "revoked",
  "decline",
];

type Props = {
  position: Position | null;
  token: string;
  onTask: (task: Task) => void;
  /** Nothing was shared. */
  onFailed: (reason: Reason) => void;
};

/** A wallet for sessions in test mode, without an app. Whoever integrates chooses what it shares; the server makes the answer. English only. */
export function TestWallet({ position, token, onTask, onFailed }: Props) {
  const [request, setRequest] = useState<WalletRequest | null>(null);
  const [busy, setBusy] = useState<WalletChoice | null>(null);
  useEffect(() => {
    let left = false;
    walletCalls.ask(token, "browser").then(
      (made) => left || setRequest(made),
      (error: unknown) => left || onFailed(reasonOf(error)),
    );
    return () => {
      left = true;
    };
  }, [token, onFailed]);
  const answer = (choice: WalletChoice) => {
    if (!request || busy) return;
    setBusy(choice);
    walletCalls.answerForTest(token, request.id, choice).then(onTask, (error: unknown) => onFailed(reasonOf(error)));
  };
  return (
    <Page position={position} title={words.title} lead={words.text}>
      <div lang="en" dir="ltr">
        {request && <Query asked={askedOf(request.requests)} />}
        <ul className={choose.kinds}>
          {choices.map((choice) => (
            <li key={choice}>
              <button
                type="button"
                className={choose.kind}
                aria-disabled={!request || busy !== null}
                aria-busy={busy === choice}
                onClick={() => answer(choice)}
              >
                <span className={choose.words}>
                  <span className={choose.name}>{words[choice]}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}

/** The credential that the test wallet presents, and the claims of it that are asked for. */
function Query({ asked }: { asked: Asked | null }) {
  if (!asked) return null;
  return (
    <div className={css.asked}>
      <p className={css.type}>{asked.type}</p>
      <ul className={css.claims}>
        {asked.claims.map((claim) => (
          <li key={claim}>{claim}</li>
        ))}
      </ul>
    </div>
  );
}
