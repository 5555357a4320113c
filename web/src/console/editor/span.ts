/** Units in which people say how long something takes. The server counts hours. */
export const units = { hours: 1, days: 24 } as const;
export type Unit = keyof typeof units;

/** The unit that a number of hours is best said in: days where it is whole days. */
export const unitOf = (hours: number): Unit => (hours > 0 && hours % units.days === 0 ? "days" : "hours");

/** How many of a unit a number of hours is. */
export const inUnit = (hours: number, unit: Unit): number => hours / units[unit];

/** Whole hours of so many of a unit; 0 for what is no number. */
export function hoursOf(value: string | number, unit: Unit): number {
  const n = typeof value === "number" ? value : Number(value);
  return Number.isFinite(n) && n > 0 ? Math.round(n * units[unit]) : 0;
}
