import type { ReactElement } from "react";

/** What a state looks like: never a colour alone. Every state that is shown anywhere has one of these shapes. */
export type Shape = "pass" | "fail" | "unsure" | "idle" | "running" | "refer";

const drawn: Record<Shape, ReactElement> = {
  pass: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="M4.8 8.2 7 10.4l4.2-4.6"
        stroke="var(--shape-on, var(--paper))"
        strokeWidth="1.8"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  fail: <path d="M3.2 3.2l9.6 9.6M12.8 3.2l-9.6 9.6" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />,
  unsure: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 0 0 12z" fill="currentColor" />
    </>
  ),
  idle: <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" />,
  running: (
    <circle
      cx="8"
      cy="8"
      r="6"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeDasharray="2.4 2.31"
      strokeLinecap="round"
    />
  ),
  refer: (
    <path
      d="M3.5 15V1.6M3.5 2.2h9.3l-2.4 3.3 2.4 3.3H3.5"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  ),
};

/** A shape on its own; whoever uses it writes the word beside it. */
export function StateShape({ shape, size = 16 }: { shape: Shape; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false" data-shape={shape}>
      {drawn[shape]}
    </svg>
  );
}
