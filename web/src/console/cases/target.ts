import type { ConsoleKey } from "../../i18n/console.ts";
import type { Shape } from "../../ui/shapes.tsx";

const units: [string, number][] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
];

/** A span in its largest unit: 3 h, 12 min. Under a minute is said as less than one. */
export function span(seconds: number): string {
  for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return "< 1 min";
}

/** Returns how much of a case's target time is left: a shape and a word, never a colour alone. In its last quarter it is due soon. */
export function target(
  { opened_at, due_at }: { opened_at: string; due_at: string },
  now = Date.now(),
): { shape: Shape; word: ConsoleKey; span: string } {
  const left = (new Date(due_at).getTime() - now) / 1000;
  const whole = (new Date(due_at).getTime() - new Date(opened_at).getTime()) / 1000;
  if (left <= 0) return { shape: "fail", word: "cases.late", span: span(-left) };
  if (left <= whole / 4) return { shape: "unsure", word: "cases.soon", span: span(left) };
  return { shape: "idle", word: "cases.in_time", span: span(left) };
}
