import { type Shape, StateShape } from "../../ui/shapes.tsx";
import css from "./State.module.css";

/** A state: its shape and its word, never a colour alone. */
export function State({ shape, children, filled = false }: { shape: Shape; children: string; filled?: boolean }) {
  return (
    <span className={filled ? css.filled : css.plain} data-shape={shape}>
      <StateShape shape={shape} size={filled ? 15 : 14} />
      {children}
    </span>
  );
}
