import { useEffect, useRef } from "react";
import { type EmbedOptions, embed, type Listeners } from "./index.js";

export type BonafideProps = Omit<EmbedOptions, "on"> & {
  /** Of the session, as the API answered it. Another link shows another session. */
  link: string;
  on?: Listeners;
  className?: string;
};

/** The person's page in a frame. It goes when the component goes. */
export function Bonafide({ link, on, className, title, minHeight, focus }: BonafideProps) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef(on);
  useEffect(() => {
    now.current = on;
  });
  useEffect(() => {
    if (!place.current) return;
    const shown = embed(place.current, link, {
      ...(title === undefined ? {} : { title }),
      ...(minHeight === undefined ? {} : { minHeight }),
      ...(focus === undefined ? {} : { focus }),
      on: {
        ready: (event) => now.current?.ready?.(event),
        step: (event) => now.current?.step?.(event),
        submitted: (event) => now.current?.submitted?.(event),
        result: (event) => now.current?.result?.(event),
        problem: (event) => now.current?.problem?.(event),
        closed: (event) => now.current?.closed?.(event),
      },
    });
    return shown.close;
  }, [link, title, minHeight, focus]);
  return <div ref={place} className={className} />;
}
