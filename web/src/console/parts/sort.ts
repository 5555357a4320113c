import type { Sortable } from "./Table.tsx";

/**
 * The heading of a column by which the server puts a list in order: one way, then the other, then as usual. `usual` is the order
 * that an address without one stands for; a column whose usual order that is has two ways and no third.
 */
export function sortable<Key extends string>(
  name: string,
  key: Key,
  {
    sort,
    usual,
    down = false,
    onSort,
  }: {
    sort: string | undefined;
    usual: string;
    /** Whether the first press goes down. */
    down?: boolean;
    onSort: (to: Key | `-${Key}` | undefined) => void;
  },
): Sortable {
  const now = sort ?? usual;
  const [first, second] = down ? ([`-${key}`, key] as const) : ([key, `-${key}`] as const);
  const order = now === key ? "ascending" : now === `-${key}` ? "descending" : "none";
  const own = usual === first || usual === second;
  const next = now === first ? second : now === second && !own ? undefined : first;
  return { name, order, onSort: () => onSort(next === usual ? undefined : next) };
}
