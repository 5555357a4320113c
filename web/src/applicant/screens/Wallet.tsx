import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { Task, WalletChannel, WalletRequest } from "../../api/wire.ts";
import test from "../../i18n/test-wallet.json";
import { isHandheld } from "../browser.ts";
import { calls } from "../calls.ts";
import { Button } from "../parts/Button.tsx";
import { ProblemBox } from "../parts/Notice.tsx";
import { Page, type Position, useAbout } from "../parts/Page.tsx";
import {
  askBrowser,
  browserReason,
  cameWith,
  firstChannel,
  hasWalletAPI,
  type Reason,
  reasonOf,
} from "../wallet/ask.ts";
import { walletCalls } from "../wallet/calls.ts";
import { useWords } from "../words.tsx";
import css from "./Handoff.module.css";
import { Code } from "./Handoff.tsx";

const TestWallet = lazy(async () => ({ default: (await import("./TestWallet.tsx")).TestWallet }));

/** How often the page asks whether a wallet on another device has answered. */
const pollEvery = 1500;

type Props = {
  position: Position | null;
  task: Task;
  token: string;
  onTask: (task: Task) => void;
  /** Goes on with photos. */
  onPhotos: () => void;
};

type State =
  | { at: "offer"; reason: Reason | null }
  | { at: "asking"; channel: WalletChannel }
  | { at: "test" }
  | { at: "waiting"; request: WalletRequest };

/** Offers a wallet in place of photos, asks it, and waits for its answer. */
export function Wallet({ position, task, token, onTask, onPhotos }: Props) {
  const [state, setState] = useState<State>(() => ({ at: "offer", reason: cameWith() }));
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const ask = (channel: WalletChannel) => {
    stop.current?.abort();
    const stopping = new AbortController();
    stop.current = stopping;
    const { signal } = stopping;
    setState({ at: "asking", channel });
    const run = async () => {
      const request = await walletCalls.ask(token, channel);
      if (signal.aborted) return;
      if (channel === "browser") {
        const next = await askBrowser(token, request, signal);
        if (!signal.aborted) onTask(next);
        return;
      }
      setState({ at: "waiting", request });
      if (channel === "same_device") location.assign(request.link);
    };
    run().catch((error: unknown) => {
      if (!signal.aborted)
        setState({ at: "offer", reason: channel === "browser" ? browserReason(error) : reasonOf(error) });
    });
  };
  const photos = () => {
    stop.current?.abort();
    walletCalls.cancel(token).catch(() => undefined); // it ends by itself in a few minutes
    onPhotos();
  };
  const failed = useCallback((reason: Reason) => setState({ at: "offer", reason }), []);

  if (state.at === "test")
    return (
      <Suspense fallback={null}>
        <TestWallet position={position} token={token} onTask={onTask} onFailed={failed} />
      </Suspense>
    );
  if (state.at === "waiting")
    return (
      <Waiting
        position={position}
        token={token}
        request={state.request}
        onTask={onTask}
        onFailed={failed}
        onPhotos={photos}
      />
    );
  return (
    <Offer
      position={position}
      age={task.wallet_age}
      reason={state.at === "offer" ? state.reason : null}
      busy={state.at === "asking" ? state.channel : null}
      onAsk={ask}
      onTest={task.wallet_test ? () => setState({ at: "test" }) : null}
      onPhotos={photos}
    />
  );
}

type OfferProps = {
  position: Position | null;
  age: number;
  reason: Reason | null;
  busy: WalletChannel | null;
  onAsk: (channel: WalletChannel) => void;
  /** Opens the test wallet; null in live mode. */
  onTest: (() => void) | null;
  onPhotos: () => void;
};

function Offer({ position, age, reason, busy, onAsk, onTest, onPhotos }: OfferProps) {
  const { t } = useWords();
  const { brand } = useAbout();
  // A phone whose browser found no wallet may have one that opens by a link.
  const first = reason && isHandheld() && hasWalletAPI() ? "same_device" : firstChannel();
  const name = brand || "Bonafide";
  return (
    <Page
      position={position}
      title={t("wallet.title")}
      lead={age > 0 ? t("wallet.text_age", { brand: name, n: age }) : t("wallet.text", { brand: name })}
      actions={
        <>
          <Button busy={busy === first} onClick={() => onAsk(first)}>
            {t(busy === first ? "wallet.opening" : first === "cross_device" ? "wallet.code" : "wallet.open")}
          </Button>
          {hasWalletAPI() && !isHandheld() && (
            <Button look="equal" busy={busy === "cross_device"} onClick={() => onAsk("cross_device")}>
              {t("wallet.code")}
            </Button>
          )}
          <Button look={first === "browser" && !isHandheld() ? "quiet" : "equal"} onClick={onPhotos}>
            {t("wallet.photos")}
          </Button>
          {onTest && (
            <Button look="quiet" onClick={onTest}>
              <span lang="en">{test.use}</span>
            </Button>
          )}
        </>
      }
    >
      {reason && (
        <ProblemBox
          problem={{
            code: reason,
            step: "wallet",
            title: t(`problem.${reason}.title`),
            remedy: t(`problem.${reason}.remedy`),
          }}
        />
      )}
      <p className={css.note}>{t("wallet.choice")}</p>
    </Page>
  );
}

type WaitingProps = {
  position: Position | null;
  token: string;
  request: WalletRequest;
  onTask: (task: Task) => void;
  onFailed: (reason: Reason) => void;
  onPhotos: () => void;
};

/** Waits for a wallet: with a code for another device, or while the wallet on this one is open. */
function Waiting({ position, token, request, onTask, onFailed, onPhotos }: WaitingProps) {
  const { t } = useWords();
  useEffect(() => {
    let left = false;
    const look = () =>
      walletCalls.look(token, request.id).then(
        async ({ state, problem }) => {
          if (left) return;
          if (state === "taken") {
            const next = await calls.task(token);
            if (!left) onTask(next);
          } else if (state === "failed" || state === "ended") {
            onFailed(
              problem?.code === "wallet.declined"
                ? "wallet.declined"
                : state === "ended"
                  ? "wallet.expired"
                  : "wallet.failed",
            );
          }
        },
        () => undefined, // the next look
      );
    const timer = setInterval(() => void look(), pollEvery);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [token, request.id, onTask, onFailed]);
  const photos = (
    <Button look="equal" onClick={onPhotos}>
      {t("wallet.photos")}
    </Button>
  );
  if (!request.qr)
    return (
      <Page
        position={position}
        title={t("wallet.opening")}
        lead={t("wallet.opening_text")}
        actions={
          <>
            <Button onClick={() => location.assign(request.link)}>{t("wallet.reopen")}</Button>
            {photos}
          </>
        }
      />
    );
  return (
    <Page position={position} title={t("wallet.scan_title")} lead={t("wallet.scan_text")} actions={photos}>
      <div className={css.ground}>
        <Code qr={request.qr} label={t("wallet.scan_label")} />
      </div>
      <p className={css.note}>{t("wallet.scan_warning")}</p>
    </Page>
  );
}
