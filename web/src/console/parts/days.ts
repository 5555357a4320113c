const dayLength = 86_400_000;

/** Returns the day so many days after another, both YYYY-MM-DD in UTC. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10);

/** Returns today, or the day of another time, as YYYY-MM-DD in UTC. */
export const dayOf = (time = Date.now()): string => new Date(time).toISOString().slice(0, 10);
