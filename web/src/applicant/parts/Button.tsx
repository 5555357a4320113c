import type { ButtonHTMLAttributes, ReactNode } from "react";
import { pictures, picturesAndFiles } from "./accepted.ts";
import css from "./Button.module.css";

type Look = "primary" | "equal" | "quiet" | "danger";
type Props = { look?: Look; busy?: boolean; children: ReactNode } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  "className" | "type"
>;

/** While busy it keeps its place and its focus, but does nothing. */
export function Button({ look = "primary", busy = false, children, onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      className={css[look]}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={busy ? undefined : onClick}
    >
      {busy && <span className={css.spin} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A button that lets the person choose a picture or a PDF; on phones with `capture` it opens the camera app. */
export function FileButton({
  look = "quiet",
  capture,
  onFile,
  children,
}: {
  look?: Look;
  capture?: "user" | "environment";
  onFile: (file: File) => void;
  children: ReactNode;
}) {
  return (
    <label className={`${css[look]} ${css.file}`}>
      <input
        type="file"
        accept={capture ? pictures : picturesAndFiles}
        {...(capture ? { capture } : {})}
        className={css.input}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
      {children}
    </label>
  );
}
