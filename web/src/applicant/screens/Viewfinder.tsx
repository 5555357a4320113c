import { useCallback, useEffect, useRef, useState } from "react";
import type { CaptureStep, DocumentKind } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { type Facing, shine } from "../camera.ts";
import { type Guidance, startGuide } from "../guide/guide.ts";
import type { Prompt } from "../guide/prompter.ts";
import type { Look, Part } from "../guide/talk.ts";
import { pictures, picturesAndFiles } from "../parts/accepted.ts";
import { type Position, useTitle } from "../parts/Page.tsx";
import { type Picture, snap } from "../picture.ts";
import { useWords } from "../words.tsx";
import { Frame, Outline } from "./Frame.tsx";
import css from "./Viewfinder.module.css";

type Props = {
  position: Position | null;
  stream: MediaStream | null;
  facing: Facing;
  /** Whether the camera has a light that can be switched. */
  torch: boolean;
  step: CaptureStep;
  kind: DocumentKind;
  /** The last picture of this step was put aside: there is more time before one is taken by itself. */
  again: boolean;
  onTaken: (picture: Picture) => void;
  /** The way without the camera; null where only the camera counts. */
  onFile: ((file: File) => void) | null;
  onClose: () => void;
  onSwitch: () => void;
  onDead: () => void;
};

/** What is said of a face. A page is not looked for here, so the rest has other words. */
export const faceWords: Partial<Record<Prompt, Key>> = {
  alone: "camera.guide.alone",
  closer: "camera.guide.closer",
  back: "camera.guide.face_back",
  dark: "camera.guide.dark",
  bright: "camera.guide.bright",
  backlit: "camera.guide.backlit",
  still: "camera.guide.still",
  hold: "camera.guide.hold",
  unseen: "camera.guide.none_face",
};

function hintOf(step: CaptureStep, kind: DocumentKind, prompt: Prompt): Key {
  if (step === "selfie") return faceWords[prompt] ?? "camera.hint.selfie";
  if (prompt === "unseen") return "camera.guide.none";
  if (prompt !== "search" && prompt !== "alone") return `camera.guide.${prompt}`;
  if (step === "document_front" && (kind === "passport" || kind === "visa")) return "camera.hint.passport";
  return `camera.hint.${step}`;
}

function sought(step: CaptureStep, kind: DocumentKind): Look["what"] {
  if (step === "selfie") return "face";
  if (kind === "passport" || kind === "visa") return "page";
  return kind === "unknown" ? "any" : "card";
}

/** How much of a picture an element shows that fills itself with it. */
export function visiblePart(element: HTMLVideoElement, whole: boolean): Part {
  const picture = element.videoWidth / element.videoHeight;
  const screen = element.clientWidth / element.clientHeight;
  if (whole || !(picture > 0 && screen > 0)) return { x0: 0, y0: 0, x1: 1, y1: 1 };
  const [w, h] = picture > screen ? [screen / picture, 1] : [1, picture / screen];
  return { x0: (1 - w) / 2, y0: (1 - h) / 2, x1: (1 + w) / 2, y1: (1 + h) / 2 };
}

const settle = { first: 900, again: 2500 };
const nothing: Guidance = { prompt: "search", quad: null, held: 0 };

/** How long a camera may show nothing before we say so. */
const blackAfter = 8000;

/** The camera, full-bleed: the frame over a dimmed picture, one line of guidance, the shutter at the thumb. */
export function Viewfinder({
  position,
  stream,
  facing,
  torch,
  step,
  kind,
  again,
  onTaken,
  onFile,
  onClose,
  onSwitch,
  onDead,
}: Props) {
  const { t } = useWords();
  const video = useRef<HTMLVideoElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(t("camera.label"), position);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const [view, setView] = useState<"starting" | "cover" | "whole">("starting");
  const [ratio, setRatio] = useState(4 / 3);
  const [flash, setFlash] = useState(false);
  const [lit, setLit] = useState(false);
  const [guidance, setGuidance] = useState(nothing);

  useEffect(() => {
    const element = video.current;
    if (element && element.srcObject !== stream) {
      element.srcObject = stream;
      setLit(false);
      if (!stream) setView("starting"); // out of sight, or on the way to another camera
      if (stream) void element.play().catch(() => undefined); // autoplay is asked for too; a refusal shows as black
    }
  }, [stream]);

  useEffect(() => {
    if (!stream || view !== "starting") return;
    const timer = setTimeout(onDead, blackAfter);
    return () => clearTimeout(timer);
  }, [stream, view, onDead]);

  // A landscape camera on an upright screen would lose most of its picture to cropping: then the whole is shown.
  // A face stays in the middle, so it may be cropped on the screen; what is sent is always the whole picture.
  const measure = useCallback(() => {
    const element = video.current;
    if (!element?.videoWidth) return;
    const picture = element.videoWidth / element.videoHeight;
    const screen = element.clientWidth / element.clientHeight;
    setRatio(picture);
    setView(step === "selfie" || Math.min(picture, screen) / Math.max(picture, screen) > 0.7 ? "cover" : "whole");
  }, [step]);

  useEffect(() => {
    addEventListener("resize", measure); // also when the phone is turned
    return () => removeEventListener("resize", measure);
  }, [measure]);

  const what = sought(step, kind);
  useEffect(() => {
    const element = video.current;
    if (!element || view === "starting") return;
    const over = () => setGuidance(nothing);
    try {
      const stop = startGuide({
        video: element,
        what,
        oval: "oval",
        visible: () => visiblePart(element, view === "whole"),
        settle: again ? settle.again : settle.first,
        onGuidance: setGuidance,
        onShot: (blob, width, height) => {
          navigator.vibrate?.(30);
          onTaken({ blob, url: URL.createObjectURL(blob), width, height, from: "camera" });
        },
        onBroken: over,
      });
      return () => {
        stop();
        over();
      };
    } catch {
      return; // an old browser: the button is there
    }
  }, [view, what, again, onTaken]);

  const take = async () => {
    const element = video.current;
    if (!element || view === "starting") return;
    setFlash(true);
    navigator.vibrate?.(30);
    try {
      onTaken(await snap(element));
    } catch {
      onDead();
    }
  };

  const shape = step === "selfie" ? "oval" : kind === "passport" || kind === "visa" ? "page" : "card";
  return (
    <main id="content" className={css.finder} aria-label={t("camera.label")}>
      <h1 ref={heading} tabIndex={-1} className={css.hidden} aria-describedby="guidance">
        {t("camera.label")}
      </h1>
      <video
        ref={video}
        className={css.video}
        data-view={view}
        data-mirrored={facing === "user"}
        autoPlay
        playsInline
        muted
        onLoadedMetadata={measure}
        onResize={measure}
      />
      <Frame
        shape={shape}
        within={view === "whole" ? ratio : null}
        found={guidance.quad !== null}
        good={guidance.prompt === "hold"}
      />
      <Outline video={video.current} whole={view === "whole"} guidance={guidance} />
      <p id="guidance" className={css.hint} role="status" data-good={guidance.prompt === "hold"}>
        {view === "starting" ? t(stream ? "camera.starting" : "camera.asking") : t(hintOf(step, kind, guidance.prompt))}
      </p>
      <button type="button" className={css.close} onClick={onClose} aria-label={t("camera.close")}>
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
          <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
        </svg>
      </button>
      {torch && (
        <button
          type="button"
          className={css.torch}
          aria-pressed={lit}
          aria-label={t("camera.torch")}
          onClick={() => stream && void shine(stream, !lit).then((done) => done && setLit(!lit))}
        >
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
            <path
              d="M13 2L5 14h6l-1 8 9-13h-6z"
              fill={lit ? "currentColor" : "none"}
              stroke="currentColor"
              strokeWidth="2"
              strokeLinejoin="round"
            />
          </svg>
        </button>
      )}
      <div className={css.bar}>
        {onFile ? (
          <label className={css.side}>
            <input
              type="file"
              accept={step === "selfie" ? pictures : picturesAndFiles}
              className={css.fileInput}
              {...(step === "selfie" ? { capture: "user" as const } : {})}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (file) onFile(file);
              }}
            />
            <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" focusable="false">
              <path
                d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.01"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinejoin="round"
                strokeLinecap="round"
              />
            </svg>
            <span>{t("camera.upload")}</span>
          </label>
        ) : (
          <span className={css.side} />
        )}
        <button
          type="button"
          className={css.shutter}
          onClick={() => void take()}
          disabled={view === "starting"}
          aria-label={t("camera.shutter")}
        />
        <button type="button" className={css.side} onClick={onSwitch}>
          <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" focusable="false">
            <path
              d="M4 11a8 8 0 0 1 14-4.500L20 9M20 4v5h-5M20 13a8 8 0 0 1-14 4.500L4 15M4 20v-5h5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinejoin="round"
              strokeLinecap="round"
            />
          </svg>
          <span>{t("camera.switch")}</span>
        </button>
      </div>
      {flash && <span className={css.flash} aria-hidden="true" onAnimationEnd={() => setFlash(false)} />}
    </main>
  );
}
