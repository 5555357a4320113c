import type { ReactElement } from "react";
import type { CaptureStep, DocumentKind } from "../../api/wire.ts";
import css from "./Figures.module.css";

/** Small drawings of what right looks like: an open passport, whose page with the photo is framed, a card, its back, a face. No text in them. */
export type FigureName = "page" | "card" | "back" | "face" | "turns";

export function figureOf(step: CaptureStep, kind: DocumentKind | "" | null): FigureName {
  if (step === "selfie") return "face";
  if (step === "document_back") return "back";
  return kind === "passport" || kind === "visa" ? "page" : "card";
}

/** Lines of text: where the first begins, and how wide each is. */
const lines = (x: number, y: number, widths: number[]) => {
  const gap = 11;
  return widths.map((width, i) => {
    const top = y + i * gap;
    return <rect key={top} x={x} y={top} width={width} height="4" rx="2" className={css.ink} />;
  });
};

const person = (x: number, y: number, scale: number) => (
  <g transform={`translate(${x} ${y}) scale(${scale})`}>
    <circle cx="0" cy="-9" r="9" className={css.person} />
    <path d="M-17 20a17 17 0 0 1 34 0z" className={css.person} />
  </g>
);

const corners = (x: number, y: number, w: number, h: number) => {
  const l = 14;
  return (
    <path
      className={css.corners}
      d={`M${x} ${y + l}V${y}h${l}M${x + w - l} ${y}h${l}v${l}M${x + w} ${y + h - l}v${l}h-${l}M${x + l} ${y + h}h-${l}v-${l}`}
    />
  );
};

const drawings: Record<FigureName, ReactElement> = {
  page: (
    <>
      <path d="M72 54V10a6 6 0 0 1 6-6h84a6 6 0 0 1 6 6v44z" className={css.sheet} />
      <path d="M86 40c12-8 22-8 34 0 12-8 22-8 34 0" className={css.wave} />
      <path d="M86 26c12-8 22-8 34 0 12-8 22-8 34 0" className={css.wave} />
      <path d="M72 54h96v70a6 6 0 0 1-6 6H78a6 6 0 0 1-6-6z" className={css.sheet} />
      <rect x="80" y="62" width="26" height="34" rx="3" className={css.photo} />
      {person(93, 83, 0.62)}
      {lines(114, 64, [40, 26, 46])}
      <rect x="80" y="106" width="80" height="4" rx="2" className={css.code} />
      <rect x="80" y="115" width="80" height="4" rx="2" className={css.code} />
      {corners(62, 48, 116, 88)}
    </>
  ),
  card: (
    <>
      <rect x="42" y="22" width="156" height="98" rx="10" className={css.sheet} />
      <rect x="54" y="40" width="42" height="54" rx="4" className={css.photo} />
      {person(75, 72, 1)}
      {lines(108, 44, [64, 42, 74, 52])}
      {corners(32, 12, 176, 118)}
    </>
  ),
  back: (
    <>
      <rect x="42" y="22" width="156" height="98" rx="10" className={css.sheet} />
      {lines(56, 38, [70, 52])}
      {[0, 1, 2].map((row) => (
        <rect key={row} x="54" y={76 + row * 12} width="132" height="5" rx="2" className={css.code} />
      ))}
      {corners(32, 12, 176, 118)}
    </>
  ),
  face: (
    <>
      <ellipse cx="120" cy="70" rx="46" ry="60" className={css.oval} />
      <circle cx="120" cy="58" r="25" className={css.person} />
      <path d="M80 118c2-20 18-31 40-31s38 11 40 31c-10 8-24 12-40 12s-30-4-40-12z" className={css.person} />
      <path d="M111 57h.01M129 57h.01M112 68c5 4 11 4 16 0" className={css.features} />
    </>
  ),
  turns: (
    <>
      <ellipse cx="120" cy="70" rx="46" ry="60" className={css.oval} />
      <circle cx="120" cy="58" r="25" className={css.person} />
      <path d="M80 118c2-20 18-31 40-31s38 11 40 31c-10 8-24 12-40 12s-30-4-40-12z" className={css.person} />
      <path d="M103 57h.01M119 57h.01M103 68c5 4 10 4 14 0" className={css.features} />
      <path d="M62 70H26M40 56L26 70l14 14" className={css.corners} />
    </>
  ),
};

/** A drawing with its name; without one it is only decoration. */
export function Figure({ name, label }: { name: FigureName; label?: string }) {
  return label ? (
    <svg viewBox="0 0 240 140" className={css.figure} focusable="false" role="img" aria-label={label}>
      {drawings[name]}
    </svg>
  ) : (
    <svg viewBox="0 0 240 140" className={css.figure} focusable="false" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
