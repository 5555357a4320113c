import type { Guidance } from "../guide/guide.ts";
import css from "./Viewfinder.module.css";

/** What to fill: the rest of the picture is dimmed around it. */
export function Frame({
  shape,
  within,
  found,
  good = false,
  near = false,
  light = null,
}: {
  shape: "page" | "card" | "oval" | "face";
  within: number | null;
  /** The corners of the page where it was found, which are drawn instead. */
  found: boolean;
  /** All is well: the oval's line grows. */
  good?: boolean;
  /** The face has to come nearer: the oval grows. */
  near?: boolean;
  /** The colour that lights the face from all around the oval; null where the picture is dimmed instead. */
  light?: string | null;
}) {
  const picture = within
    ? {
        inlineSize: `calc(min(100vw, 100dvh * ${within}) - 1.5rem)`,
        blockSize: `calc(min(100dvh, 100vw / ${within}) - 1.5rem)`,
      }
    : undefined;
  return (
    <div className={css.frameArea} data-within={within !== null} style={picture} aria-hidden="true">
      <div
        className={css.frame}
        data-shape={shape}
        data-found={found}
        data-good={good}
        data-near={near}
        data-lit={light !== null}
        ref={(frame) => frame?.style.setProperty("--light", light ?? "")}
      >
        {(shape === "page" || shape === "card") && (
          <>
            <i className={css.corner} data-at="tl" />
            <i className={css.corner} data-at="tr" />
            <i className={css.corner} data-at="br" />
            <i className={css.corner} data-at="bl" />
          </>
        )}
        {shape === "page" && <i className={css.codeLines} />}
      </div>
    </div>
  );
}

/** The page's corners where they are seen; when all is well the line closes and a tick appears in its middle. */
export function Outline({
  video,
  whole,
  guidance: { quad, prompt },
}: {
  video: HTMLVideoElement | null;
  whole: boolean;
  guidance: Guidance;
}) {
  if (!video || !quad) return null;
  const { videoWidth: width, videoHeight: height } = video;
  const at = quad.map(({ x, y }) => ({ x: x * width, y: y * height }));
  const [cx, cy] = [at.reduce((sum, { x }) => sum + x, 0) / 4, at.reduce((sum, { y }) => sum + y, 0) / 4];
  const points = at.map(({ x, y }) => `${x},${y}`).join(" ");
  const good = prompt === "hold";
  const unit = Math.max(width, height) / 100;
  return (
    <svg
      className={css.outline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={whole ? "xMidYMid meet" : "xMidYMid slice"}
      data-good={good}
      aria-hidden="true"
      focusable="false"
    >
      <polygon className={css.casing} points={points} />
      <polygon className={css.edge} points={points} />
      <path className={css.points} d={at.map(({ x, y }) => `M${x} ${y}h.01`).join("")} />
      {good && (
        <path className={css.tick} d={`M${cx - 4 * unit} ${cy}l${3 * unit} ${3 * unit}l${5 * unit} ${-6 * unit}`} />
      )}
    </svg>
  );
}
