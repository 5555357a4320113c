import { useCallback, useEffect, useRef, useState } from "react";
import type { Challenge, Movement } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import type { Pose } from "../guide/face-net.ts";
import { startGuide } from "../guide/guide.ts";
import type { Prompt } from "../guide/prompter.ts";
import { isSeen } from "../liveness/acknowledge.ts";
import { showsLight } from "../liveness/light.ts";
import { isStale, type Moment, momentAt } from "../liveness/moments.ts";
import { type Run, record } from "../liveness/record.ts";
import { canSay, hush, say } from "../liveness/say.ts";
import { Button } from "../parts/Button.tsx";
import { type Position, useTitle } from "../parts/Page.tsx";
import type { Parts } from "../sending/parts.ts";
import { useWords } from "../words.tsx";
import { Frame } from "./Frame.tsx";
import css from "./Liveness.module.css";
import finder from "./Viewfinder.module.css";
import { faceWords, visiblePart } from "./Viewfinder.tsx";

type Props = {
  position: Position | null;
  stream: MediaStream | null;
  challenge: Challenge;
  /** When this page first saw the challenge (performance.now()). */
  challengedAt: number;
  renewing: boolean;
  onRenew: () => void;
  /** Begins the way of a run to the server. */
  startParts: () => Parts;
  onRecorded: (run: Run) => void;
  onWays: () => void;
  onClose: () => void;
  onDead: () => void;
};

type Phase = "aiming" | "renewing" | "running" | "interrupted" | "slow";
const straight: Moment = { move: null, n: 0 };

/** How long "I am ready" waits for the face to be framed. Some faces the guide does not see: they begin after it. */
const framingPatience = 6000;
/** Milliseconds between frames that the guide looks at beside a recording. */
const besideRecording = 220;

function wordsOf({ move, n }: Moment, gentle: boolean, total: number): Key {
  if (move) return `live.${gentle ? "gently" : "move"}.${move}`;
  if (n === 0) return "live.straight";
  return n < total ? "live.back" : "live.last";
}

/** Nothing is taken by itself here: the person begins when they are ready. */
const aims: Partial<Record<Prompt, Key>> = { ...faceWords, hold: "live.good" };

/**
 * The camera records while the person follows the server's movements. Nothing is judged here: frames are sent as they
 * come, and count only once the run is whole; what is asked is shown, written, and read out.
 */
export function Liveness(props: Props) {
  const { stream, challenge, challengedAt, renewing, onRenew, startParts, onRecorded, onWays, onClose, onDead } = props;
  const { t, locale } = useWords();
  useTitle(t("live.label"), props.position);
  const video = useRef<HTMLVideoElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const asked = useRef(false);
  const [live, setLive] = useState(false);
  const [phase, setPhase] = useState<Phase>("aiming");
  const [moment, setMoment] = useState(straight);
  const [light, setLight] = useState<string | null>(null);
  const [seen, setSeen] = useState<Prompt>("search");
  /** The person is ready, and the face is not framed yet. */
  const [armed, setArmed] = useState(false);
  const [guided, setGuided] = useState(false);
  /** The movement, by its number, that this device's own guide has seen. */
  const [acknowledged, setAcknowledged] = useState(0);
  const now = useRef(straight);
  const total = challenge.prompts.length;

  useEffect(() => {
    const element = video.current;
    if (!element || element.srcObject === stream) return;
    element.srcObject = stream;
    if (!stream) {
      setLive(false); // out of sight: what was begun is over
      setPhase((before) => (before === "aiming" ? before : "interrupted"));
    }
    if (stream) void element.play().catch(() => undefined);
  }, [stream]);

  useEffect(() => {
    if (!stream || live) return;
    const timer = setTimeout(onDead, 8000);
    return () => clearTimeout(timer);
  }, [stream, live, onDead]);

  const ended = phase === "interrupted" || phase === "slow";
  const aiming = phase === "aiming" || ended;
  useEffect(() => {
    const element = video.current;
    if (!element || !live || !aiming) return;
    try {
      const stop = startGuide({
        video: element,
        what: "face",
        oval: "face",
        visible: () => visiblePart(element, false),
        settle: Number.POSITIVE_INFINITY,
        onGuidance: ({ prompt }) => setSeen(prompt),
        onShot: () => undefined,
        onBroken: () => {
          setSeen("search");
          setGuided(false);
        },
      });
      setGuided(true);
      return () => {
        stop();
        setGuided(false);
      };
    } catch {
      return; // without hints
    }
  }, [live, aiming]);

  // Thanks for each movement that this device sees. Nothing is judged by it, and it knows nothing of how the server judges.
  const running = phase === "running";
  useEffect(() => {
    const element = video.current;
    if (!element || !running) return;
    let rest: Pose | null = null;
    setAcknowledged(0);
    try {
      return startGuide({
        video: element,
        what: "face",
        oval: "face",
        visible: () => visiblePart(element, false),
        settle: Number.POSITIVE_INFINITY,
        between: besideRecording,
        onGuidance: ({ pose }) => {
          const { move, n } = now.current;
          if (pose && !move) rest = pose;
          if (pose && move && rest && isSeen(move, rest, pose)) setAcknowledged((before) => Math.max(before, n));
        },
        onShot: () => undefined,
        onBroken: () => undefined,
      });
    } catch {
      return; // without thanks
    }
  }, [running]);
  const thanked = running && moment.move !== null && acknowledged === moment.n;
  useEffect(() => {
    if (thanked) navigator.vibrate?.([20, 40, 20]);
  }, [thanked]);

  // A new challenge has come, or the attempt to get one is over.
  useEffect(() => {
    if (phase !== "renewing") return;
    if (renewing) asked.current = true;
    else if (asked.current) {
      asked.current = false;
      setPhase("running");
    }
  }, [phase, renewing]);

  useEffect(() => {
    const element = video.current;
    if (!element || phase !== "running") return;
    const stop = new AbortController();
    const end = (how: "interrupted" | "slow") => {
      stop.abort();
      setPhase(how);
    };
    const hidden = () => document.hidden && end("interrupted");
    document.addEventListener("visibilitychange", hidden);
    const awake = navigator.wakeLock?.request("screen").catch(() => null); // a screen that dims would end it
    setMoment(straight);
    const tick = (at: number) => {
      const asks = momentAt(challenge, at);
      now.current = asks;
      setMoment((before) => (before.n === asks.n && before.move === asks.move ? before : asks));
    };
    const parts = startParts();
    const glow = showsLight(challenge) ? setLight : undefined;
    record(element, challenge, { signal: stop.signal, tick, parts, ...(glow ? { glow } : {}) }).then(
      (run) => {
        if (run.frames.length >= challenge.limits.least_frames) return onRecorded(run);
        void parts.drop();
        end("slow");
      },
      () => {
        void parts.drop();
        if (!stop.signal.aborted) onDead();
      },
    );
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      void awake?.then((lock) => lock?.release());
      stop.abort();
      setLight(null);
    };
  }, [phase, challenge, startParts, onRecorded, onDead]);

  const spoken = challenge.gentle && canSay(locale);
  const words = t(wordsOf(moment, challenge.gentle, total));
  useEffect(() => {
    if (!running) return;
    if (moment.move) navigator.vibrate?.(60);
    if (spoken) say(words, locale);
    return hush;
  }, [running, moment, words, locale, spoken]);

  const begin = useCallback(() => {
    setArmed(false);
    if (!isStale(challenge, performance.now() - challengedAt)) return setPhase("running");
    setPhase("renewing");
    onRenew();
  }, [challenge, challengedAt, onRenew]);
  const framed = seen === "hold" || !guided;
  useEffect(() => {
    if (!armed) return;
    if (framed) return begin();
    const timer = setTimeout(begin, framingPatience);
    return () => clearTimeout(timer);
  }, [armed, framed, begin]);
  const hint = (): string => {
    if (!live) return t(stream ? "camera.starting" : "camera.asking");
    if (running) return words;
    if (phase === "interrupted") return t("live.interrupted");
    if (phase === "slow") return t("live.slow");
    if (armed && seen === "hold") return t("live.starts");
    return t(aims[seen] ?? "live.aim");
  };
  return (
    <main id="content" className={finder.finder} aria-label={t("live.label")}>
      <h1 ref={heading} tabIndex={-1} className={finder.hidden} aria-describedby="guidance">
        {t("live.label")}
      </h1>
      <video
        ref={video}
        className={finder.video}
        data-view={live ? "cover" : "starting"}
        data-mirrored="true"
        autoPlay
        playsInline
        muted
        onLoadedMetadata={() => setLive(true)}
      />
      <Frame
        shape="face"
        within={null}
        found={false}
        good={thanked || (!running && seen === "hold")}
        near={running && moment.move === "closer"}
        light={running ? light : null}
      />
      {running && moment.move && <Arrow move={moment.move} />}
      <p
        id="guidance"
        className={finder.hint}
        role="status"
        aria-live={running && !spoken ? "assertive" : "polite"}
        data-good={running && moment.move !== null}
      >
        {hint()}
        {thanked && (
          <svg className={css.seen} viewBox="0 0 24 24" role="img" aria-label={t("live.seen")} focusable="false">
            <path d="M5 13l4 4 10-11" />
          </svg>
        )}
      </p>
      {!running && (
        <button type="button" className={finder.close} onClick={onClose} aria-label={t("camera.close")}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
            <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
          </svg>
        </button>
      )}
      <div className={css.bar}>
        {running ? (
          <>
            <ol className={css.moves} aria-hidden="true">
              {challenge.prompts.map((prompt, i) => (
                <li key={prompt.at_ms} data-state={i + 1 < moment.n ? "done" : i + 1 === moment.n ? "now" : "ahead"} />
              ))}
            </ol>
            <button type="button" className={css.cancel} onClick={() => setPhase("interrupted")}>
              {t("live.cancel")}
            </button>
          </>
        ) : (
          <>
            <Button busy={!live || armed || phase === "renewing"} onClick={() => (framed ? begin() : setArmed(true))}>
              {t(ended ? "live.again" : "live.begin")}
            </Button>
            <button type="button" className={css.cancel} onClick={onWays}>
              {t("live.ways")}
            </button>
          </>
        )}
      </div>
    </main>
  );
}

const turns: Record<Exclude<Movement, "closer">, number> = { right: 0, down: 90, left: 180, up: 270 };

/** Where to turn, at the side of the oval that the person turns to: the picture is mirrored, so left is left. */
function Arrow({ move }: { move: Movement }) {
  if (move === "closer") return null;
  return (
    <div className={css.arrowArea} data-move={move}>
      <svg className={css.arrow} viewBox="0 0 96 96" aria-hidden="true" focusable="false">
        <circle cx="48" cy="48" r="46" className={css.disc} />
        <path className={css.shaft} d="M22 48h48M50 26l22 22-22 22" transform={`rotate(${turns[move]} 48 48)`} />
      </svg>
    </div>
  );
}
