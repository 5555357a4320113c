import { useEffect, useRef, useState } from "react";
import type { Capture, SessionFile } from "../../api/wire.ts";
import { StateShape } from "../../ui/shapes.tsx";
import { useKeys } from "../parts/keys.ts";
import { Panel } from "../parts/Panel.tsx";
import { has, t } from "../words.ts";
import css from "./Evidence.module.css";
import { Film } from "./Film.tsx";
import { type Mark, marksOf, type Place, turnOf } from "./file.ts";
import { regionOf, Signals } from "./Signals.tsx";
import { filmOf, signalsOf, suspectsOf } from "./signals.ts";

const zooms = [1, 1.5, 2, 3, 4] as const;

function nameOf(capture: Capture, all: readonly Capture[]): string {
  const key = `evidence.${capture.step}`;
  const name = has(key) ? t(key) : capture.step;
  const same = all.filter(({ step }) => step === capture.step);
  return same.length > 1 ? t("evidence.retake", { name, n: same.indexOf(capture) + 1 }) : name;
}

/** An earlier try at a step, counted from the first. */
function earlierName(capture: Capture, all: readonly Capture[]): string {
  const same = all.filter(({ step }) => step === capture.step);
  return t("evidence.earlier", { name: nameOf(capture, [capture]), n: same.indexOf(capture) + 1 });
}

/** A capture that somebody asked for: to see the signs that a check found on it. */
export type Look = { capture: string };

/** The pictures as they were sent, with the places where something was read, or is suspected, drawn over them. */
export function Evidence({ file, place, look }: { file: SessionFile; place: Place | null; look: Look | null }) {
  const captures = file.captures.filter(({ kind }) => kind !== "chip" && kind !== "wallet"); // which have no picture to show
  const earlier = file.earlier.filter(({ url }) => url);
  const [past, setPast] = useState(false);
  const newest = [...captures].reverse().find(({ kind }) => kind === "document_image") ?? captures.at(-1);
  const [chosen, setChosen] = useState<string | null>(null);
  const [zoom, setZoom] = useState(0);
  const [boxes, setBoxes] = useState(true);
  const [suspects, setSuspects] = useState(true);
  const [frame, setFrame] = useState<number | null>(null);
  const [turned, setTurned] = useState(0);
  const [light, setLight] = useState<Light>(asSent);

  const top = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!place) return;
    setChosen(place.capture);
    setFrame(null);
    top.current?.scrollIntoView({ block: "nearest" });
  }, [place]);

  useEffect(() => {
    if (!look) return;
    setChosen(look.capture);
    setFrame(null);
    setSuspects(true);
    top.current?.scrollIntoView({ block: "nearest" });
  }, [look]);

  const step = (by: number) => setZoom((was) => Math.max(0, Math.min(zooms.length - 1, was + by)));
  const turn = () => setTurned((was) => (was + 1) % 4);
  useKeys({
    "+": () => step(1),
    "=": () => step(1),
    "-": () => step(-1),
    "0": () => setZoom(0),
    t: turn,
    b: () => setBoxes((was) => !was),
    s: () => setSuspects((was) => !was),
  });

  const tried = earlier.find(({ id }) => id === chosen);
  const capture = tried ?? captures.find(({ id }) => id === chosen) ?? newest;
  if (!capture?.url) {
    return (
      <Panel title={t("evidence.title")}>
        <p className={css.empty}>
          {capture
            ? t("evidence.not_yours")
            : file.session.state === "created"
              ? t("session.waiting.created")
              : ["capturing", "processing"].includes(file.session.state)
                ? t("session.waiting.text")
                : t("evidence.none")}
        </p>
      </Panel>
    );
  }
  const scale = zooms[zoom] ?? 1;
  const film = filmOf(file, capture);
  const filmed = film !== null && frame === null;
  const signals = signalsOf(file, capture);
  const suspected = suspectsOf(file, capture);
  const read = marksOf(file, capture.id).filter(({ kind }) => kind !== "edited");
  const marks = [...(boxes ? read : []), ...(suspects ? suspected : [])];
  const name = tried ? earlierName(tried, earlier) : nameOf(capture, captures);
  const choose = (id: string) => {
    setChosen(id);
    setFrame(null);
  };
  return (
    <Panel
      title={t("evidence.title")}
      tools={
        <>
          <fieldset className={css.tabs} aria-label={t("evidence.title")}>
            {captures.map((one) => (
              <button
                key={one.id}
                type="button"
                className={css.tab}
                aria-pressed={one.id === capture.id}
                onClick={() => choose(one.id)}
              >
                {nameOf(one, captures)}
                {signalsOf(file, one).some(({ check }) => check.required) && (
                  <span className={css.flag}>
                    <StateShape shape="refer" size={10} />
                    <span className="visually-hidden"> {t("signal.here")}</span>
                  </span>
                )}
              </button>
            ))}
            {earlier.length > 0 && (
              <button type="button" className={css.tab} aria-expanded={past} onClick={() => setPast(!past)}>
                {t("evidence.earlier_show", { n: earlier.length })}
              </button>
            )}
          </fieldset>
          {past && (
            <fieldset className={css.tabs} aria-label={t("evidence.earlier_tabs")}>
              {earlier.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  className={css.tab}
                  aria-pressed={one.id === capture.id}
                  onClick={() => choose(one.id)}
                >
                  {earlierName(one, earlier)}
                </button>
              ))}
            </fieldset>
          )}
          <div className={css.tools}>
            {!filmed && (
              <>
                <button
                  type="button"
                  className={css.tool}
                  aria-pressed={boxes}
                  aria-keyshortcuts="B"
                  onClick={() => setBoxes(!boxes)}
                >
                  {t("evidence.boxes")}
                </button>
                {suspected.length > 0 && (
                  <button
                    type="button"
                    className={css.tool}
                    aria-pressed={suspects}
                    aria-keyshortcuts="S"
                    title={t("evidence.suspects_long")}
                    onClick={() => setSuspects(!suspects)}
                  >
                    {t("evidence.suspects")}
                  </button>
                )}
                <button
                  type="button"
                  className={css.tool}
                  aria-label={t("evidence.turn_long")}
                  aria-keyshortcuts="T"
                  onClick={turn}
                >
                  {t("evidence.turn")}
                </button>
                <Lighting light={light} onLight={setLight} />
                <span className={css.zooming}>
                  <button
                    type="button"
                    className={css.tool}
                    aria-label={t("evidence.zoom_out")}
                    aria-keyshortcuts="-"
                    disabled={zoom === 0}
                    onClick={() => step(-1)}
                  >
                    −
                  </button>
                  <output className={css.zoom}>{t("evidence.zoom", { percent: scale * 100 })}</output>
                  <button
                    type="button"
                    className={css.tool}
                    aria-label={t("evidence.zoom_in")}
                    aria-keyshortcuts="+"
                    disabled={zoom === zooms.length - 1}
                    onClick={() => step(1)}
                  >
                    +
                  </button>
                </span>
              </>
            )}
            {film && frame !== null && (
              <button type="button" className={css.tool} onClick={() => setFrame(null)}>
                {t("film.all")}
              </button>
            )}
          </div>
        </>
      }
      note={
        tried
          ? `${t("evidence.earlier_note")} ${t("evidence.audited")}`
          : capture.source
            ? `${t(`evidence.source.${capture.source}`)} ${t("evidence.audited")}`
            : t("evidence.audited")
      }
    >
      <div ref={top}>
        <Signals signals={signals} />
        {filmed ? (
          <Film key={capture.id} url={capture.url} frames={film} name={name} onOpen={setFrame} />
        ) : (
          <Picture
            key={`${capture.id} ${frame}`}
            url={frame === null ? capture.url : `${capture.url}?frame=${frame}`}
            name={frame === null ? t("evidence.picture", { name }) : t("film.frame", { name, n: frame + 1 })}
            turn={turnOf(file.artifacts, capture.id)}
            turned={turned}
            light={light}
            marks={frame === null ? marks : []}
            place={place?.capture === capture.id ? place : null}
            scale={scale}
          />
        )}
      </div>
    </Panel>
  );
}

/** How a picture is shown, in percent of how it was sent. The picture itself is never changed. */
type Light = { contrast: number; brightness: number };
const asSent: Light = { contrast: 100, brightness: 100 };

function Lighting({ light, onLight }: { light: Light; onLight: (light: Light) => void }) {
  return (
    <span className={css.light}>
      {(["contrast", "brightness"] as const).map((kind) => (
        <label key={kind} className={css.slider}>
          {t(`evidence.${kind}`)}
          <input
            type="range"
            min={50}
            max={250}
            step={10}
            value={light[kind]}
            onChange={(event) => onLight({ ...light, [kind]: Number(event.currentTarget.value) })}
            onDoubleClick={() => onLight({ ...light, [kind]: 100 })}
          />
        </label>
      ))}
    </span>
  );
}

type PictureProps = {
  url: string;
  name: string;
  turn: number;
  turned: number;
  light: Light;
  marks: Mark[];
  place: Place | null;
  scale: number;
};

/** Boxes count from the upright picture, so the picture is turned upright first and the boxes are laid over that. */
function Picture({ url, name, turn, turned, light, marks, place, scale }: PictureProps) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [gone, setGone] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const spot = useRef<SVGRectElement>(null);

  useEffect(() => {
    if (place && scale > 1) spot.current?.scrollIntoView({ block: "center", inline: "center" });
  }, [place, scale]);

  if (gone) return <p className={css.empty}>{t("evidence.gone")}</p>;
  const lies = turn % 2 === 1;
  const ratio = size ? (lies ? size.height / size.width : size.width / size.height) : 4 / 3;
  // The reviewer's own turn is laid over the upright picture and its boxes together.
  const aside = turned % 2 === 1;
  const shown = aside ? 1 / ratio : ratio;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
    <section ref={area} className={css.area} tabIndex={0} aria-label={t("evidence.scroll")}>
      <div
        className={css.sheet}
        style={{
          aspectRatio: shown,
          inlineSize: `min(${100 * scale}%, calc(var(--evidence-height) * ${shown * scale}))`,
        }}
      >
        <div
          className={css.turned}
          data-turn={turned}
          style={aside ? { inlineSize: `${100 / shown}%`, blockSize: `${100 * shown}%` } : undefined}
        >
          <img
            className={css.picture}
            src={url}
            alt={name}
            data-turn={turn}
            style={{
              ...(lies
                ? { inlineSize: `${100 / ratio}%`, blockSize: `${100 * ratio}%` }
                : { inlineSize: "100%", blockSize: "100%" }),
              filter: light === asSent ? undefined : `contrast(${light.contrast}%) brightness(${light.brightness}%)`,
            }}
            onLoad={(event) =>
              setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })
            }
            onError={() => setGone(true)}
          />
          {size && (
            <svg
              className={css.marks}
              viewBox="0 0 1 1"
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              {marks.map(({ kind, box, label }) => (
                <rect key={`${kind}-${label}-${box.x}-${box.y}`} {...box} className={css.mark} data-kind={kind}>
                  <title>{kind === "likely" ? t("evidence.likely", { fact: titleOf(label) }) : titleOf(label)}</title>
                </rect>
              ))}
              {place && <rect ref={spot} {...place.box} className={css.spot} />}
            </svg>
          )}
        </div>
      </div>
    </section>
  );
}

function titleOf(label: string): string {
  if (has(`region.${label}`)) return regionOf(label);
  const found = `evidence.${label}`;
  const fact = `fact.${label}`;
  return has(found) ? t(found) : has(fact) ? t(fact) : label;
}
