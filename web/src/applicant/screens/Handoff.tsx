import { useEffect, useState } from "react";
import type { Handoff as Offer } from "../../api/wire.ts";
import { isHandheld } from "../browser.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Handoff.module.css";

/** What has to stay light around a QR code, in modules (ISO/IEC 18004). */
const quiet = 4;

type Props = {
  /** Where the link can be mailed, shortened; empty where it cannot. */
  hint: string;
  /** Makes another link and mails it. */
  onMail: () => Promise<Offer>;
  /** Null while it is made. */
  offer: Offer | null;
  /** The check begins with it: nobody asked for it. */
  first: boolean;
  busy: boolean;
  onNew: () => void;
  onHere: () => void;
};

/** The code that moves the check to a phone. The page stays, hears when it was opened, and follows. */
export function Handoff({ offer: made, first, busy, hint, onMail, onNew, onHere }: Props) {
  const { t } = useWords();
  const [mailed, setMailed] = useState<{ of: string; offer: Offer } | null>(null);
  const offer = mailed && mailed.of === made?.url ? mailed.offer : made;
  const left = useMinutesLeft(offer);
  const over = left === 0;
  const here = (
    <Button look={over ? "quiet" : "equal"} busy={busy} onClick={onHere}>
      {t(first ? "handoff.stay" : "handoff.here")}
    </Button>
  );
  if (over) {
    return (
      <Page
        title={t("handoff.over_title")}
        lead={t("handoff.over_text")}
        actions={
          <>
            <Button onClick={onNew}>{t("handoff.new")}</Button>
            {here}
          </>
        }
      />
    );
  }
  return (
    <Page
      title={t(isHandheld() ? "handoff.title_other" : "handoff.title")}
      lead={t(first ? "handoff.first_text" : "handoff.text")}
      actions={here}
    >
      <div className={css.ground} aria-busy={offer === null}>
        {offer ? (
          <Code qr={offer.qr} label={t("handoff.code")} />
        ) : (
          <p className={css.making} role="status">
            {t("handoff.making")}
          </p>
        )}
      </div>
      <p className={css.left}>{left !== null && t("handoff.left", { n: left })}</p>
      {offer && <Copy url={offer.url} />}
      {made && hint && (
        <Mailing hint={hint} onMail={() => onMail().then((offer) => setMailed({ of: made.url, offer }))} />
      )}
      <p className={css.note}>{t("handoff.open")}</p>
    </Page>
  );
}

/** Whole minutes that are left, upwards; 0 when it is over, null while there is nothing to wait for. */
function useMinutesLeft(offer: Offer | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return offer ? Math.max(0, Math.ceil((Date.parse(offer.expires_at) - now) / 60_000)) : null;
}

/** Dark on light in either theme: not every phone reads a code the other way round. */
export function Code({ qr, label }: { qr: Offer["qr"]; label: string }) {
  const side = qr.size + 2 * quiet;
  return (
    <svg
      className={css.code}
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect x={-quiet} y={-quiet} width={side} height={side} className={css.light} />
      <path d={qr.path} className={css.dark} />
    </svg>
  );
}

function Copy({ url }: { url: string }) {
  const { t } = useWords();
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = () =>
    (navigator.clipboard?.writeText(url) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <Button look="quiet" onClick={() => void copy()}>
        {t("handoff.copy")}
      </Button>
      <p className={css.copied} role="status">
        {copied && t("handoff.copied")}
        {copied === false && <code className={css.link}>{url}</code>}
      </p>
    </>
  );
}

/** Mails the link to the address that the integrator gave. */
function Mailing({ hint, onMail }: { hint: string; onMail: () => Promise<void> }) {
  const { t } = useWords();
  const [state, setState] = useState<"idle" | "busy" | "sent" | "failed">("idle");
  const send = () => {
    setState("busy");
    onMail().then(
      () => setState("sent"),
      () => setState("failed"),
    );
  };
  return (
    <>
      <Button look="quiet" busy={state === "busy"} onClick={send}>
        {t("handoff.mail", { hint })}
      </Button>
      <p className={css.copied} role="status">
        {state === "sent" && t("handoff.mailed", { hint })}
        {state === "failed" && t("code.wait")}
      </p>
    </>
  );
}
