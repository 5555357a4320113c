import { useEffect, useRef, useState } from "react";
import { StateShape } from "../../ui/shapes.tsx";
import { has, numeral, t } from "../words.ts";
import css from "./Film.module.css";
import { plain } from "./Ruler.tsx";
import { columns, type FilmFrame } from "./signals.ts";

/** The frames of a challenge in the order of time: above each what was asked for, below each what a signal found in it. */
export function Film({
  url,
  frames,
  name,
  onOpen,
}: {
  url: string;
  frames: readonly FilmFrame[];
  name: string;
  onOpen: (frame: number) => void;
}) {
  const strip = useStrip(`${url}?frames=${frames.map(({ index }) => index).join(",")}`);
  if (strip === "gone") return <p className={css.gone}>{t("evidence.gone")}</p>;
  return (
    <ol className={css.film} aria-label={t("film.title", { name })} aria-busy={strip === null}>
      {frames.map((frame, i) => (
        <li key={frame.index} className={css.frame} data-marked={frame.marks.length > 0}>
          <span className={css.prompt} data-move={frame.move}>
            {t(frame.move ? `film.move.${frame.move}` : "film.move.straight")}
          </span>
          <button
            type="button"
            className={css.open}
            aria-label={t("film.open", { n: frame.index + 1, seconds: plain(frame.at / 1000) })}
            onClick={() => onOpen(frame.index)}
          >
            <Thumb strip={strip} at={i} of={frames.length} />
          </button>
          <span className={css.time}>{t("film.at", { seconds: numeral(frame.at / 1000, 1) })}</span>
          {frame.marks.map(({ signal, place }) => (
            <span key={signal.check.kind} className={css.found}>
              <StateShape shape="refer" size={9} /> {foundText(place.what, place.value)}
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** What was measured in a frame, in words. */
function foundText(what: string | undefined, value: number | undefined): string {
  const key = `film.found.${what}`;
  const shown = value === undefined ? "" : plain(what === "turned_degrees" ? Math.round(value) : value);
  return what && has(key) ? t(key, { value: shown }) : t("film.found");
}

/** The one picture that holds all frames: every look at it is written to the audit log, so it is asked for once. */
function useStrip(url: string): HTMLImageElement | "gone" | null {
  const [strip, setStrip] = useState<HTMLImageElement | "gone" | null>(null);
  useEffect(() => {
    const image = new Image();
    image.onload = () => setStrip(image);
    image.onerror = () => setStrip("gone");
    image.src = url;
    return () => {
      image.onload = null;
      image.onerror = null;
      setStrip(null);
    };
  }, [url]);
  return strip;
}

function Thumb({ strip, at, of }: { strip: HTMLImageElement | null; at: number; of: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!strip || !canvas.current) return;
    const context = canvas.current.getContext("2d");
    if (!context) return;
    const across = Math.min(of, columns);
    const wide = strip.naturalWidth / across;
    const high = strip.naturalHeight / Math.ceil(of / across);
    canvas.current.width = wide;
    canvas.current.height = high;
    const left = (at % across) * wide;
    const top = Math.floor(at / across) * high;
    context.drawImage(strip, left, top, wide, high, 0, 0, wide, high);
  }, [strip, at, of]);
  return <canvas ref={canvas} className={css.thumb} width={200} height={150} />;
}
