import type { Mode } from "../../api/wire.ts";

/** Reads one parameter of an address: its value, or undefined where it is missing, makes no sense or is the default. */
type Reader<T> = (raw: unknown) => T | undefined;

type Raw = Readonly<Record<string, unknown>>;

/**
 * Returns the schema of a route's search, for validateSearch: a reader for each parameter that the route knows. What a reader
 * refuses is left out, so that an address that somebody typed always leads to a page.
 */
export const searchSchema =
  <T extends object>(readers: { readonly [Name in keyof T]: Reader<T[Name]> }) =>
  (raw: Raw): Partial<T> => {
    const parts: object[] = [];
    for (const name in readers) {
      const value = readers[name](raw[name]);
      if (value !== undefined) parts.push({ [name]: value });
    }
    return Object.assign({}, ...parts);
  };

/** What a schema reads. */
export type SearchOf<Schema extends (raw: Raw) => object> = ReturnType<Schema>;

/** A text of at most 200 characters. The router reads digits as a number; they are a text, too. */
export const text =
  (shape = /./s): Reader<string> =>
  (raw) => {
    const value = typeof raw === "number" ? String(raw) : raw;
    if (typeof value !== "string" || value === "") return undefined;
    const short = value.slice(0, 200);
    return shape.test(short) ? short : undefined;
  };

/** One of a set of values. Of a list, such as older addresses hold, the first counts. */
export const oneOf =
  <T extends string>(values: readonly T[]): Reader<T> =>
  (raw) => {
    const value: unknown = Array.isArray(raw) ? raw[0] : raw;
    return values.find((one) => one === value);
  };

/** A day of the calendar, YYYY-MM-DD. */
export const day: Reader<string> = (raw) => {
  const value = text(/^\d{4}-\d{2}-\d{2}$/)(raw);
  return value && !Number.isNaN(Date.parse(value)) ? value : undefined;
};

/** Whether something is asked for; absent where it is not. */
export const flag: Reader<true> = (raw) => (raw === true ? true : undefined);

/** Whose data a page shows; absent for test data. */
export const mode: Reader<Mode> = oneOf(["live"]);

/** A state, issuer or organisation as documents name it: up to three letters. */
export const country = text(/^[A-Z]{1,3}$/);
