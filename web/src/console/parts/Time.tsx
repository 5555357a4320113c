import { absolute, ago } from "../words.ts";

/** How long ago; the exact time and its ISO form on hover. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={`${absolute(iso)}\n${iso}`}>
      {ago(iso)}
    </time>
  );
}
