/** A run of letters of a word, and whether the other word has them, too. */
export type Run = { text: string; same: boolean };

/** Where two words differ, letter by letter: the longest letters that they share in order are the same, the others differ. */
export function differing(one: string, other: string): { one: Run[]; other: Run[] } {
  const a = [...one];
  const b = [...other];
  const fold = (letter: string) => letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  const equal = (i: number, j: number) => fold(a[i] ?? "") === fold(b[j] ?? "");
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i];
      if (row) row[j] = equal(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const left: Run[] = [];
  const right: Run[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && equal(i, j)) {
      push(left, a[i++] ?? "", true);
      push(right, b[j++] ?? "", true);
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      push(left, a[i++] ?? "", false);
    } else {
      push(right, b[j++] ?? "", false);
    }
  }
  return { one: left, other: right };
}

function push(runs: Run[], letter: string, same: boolean): void {
  const last = runs.at(-1);
  if (last?.same === same) last.text += letter;
  else runs.push({ text: letter, same });
}
