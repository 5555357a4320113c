import { TextInput } from "@mantine/core";
import { useId, useState } from "react";
import css from "./Picker.module.css";

export type Choice = { id: string; name: string; note?: string | undefined };

/** A field to type into, above a list of what matches. The arrow keys and Enter choose one. */
export function Picker<C extends Choice>({
  label,
  choices,
  none,
  text,
  onText,
  onChoose,
}: {
  label: string;
  choices: readonly C[];
  none: string;
  text: string;
  onText: (text: string) => void;
  onChoose: (one: C) => void;
}) {
  const id = useId();
  const [at, setAt] = useState(0);
  const chosen = Math.max(0, Math.min(at, choices.length - 1)); // the list may come later
  const take = (one: C | undefined) => one && onChoose(one);
  const keys = new Map([
    ["ArrowDown", () => setAt(chosen + 1)],
    ["ArrowUp", () => setAt(Math.max(chosen - 1, 0))],
    ["Enter", () => take(choices[chosen])],
  ]);
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          onText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const key = keys.get(event.key);
          if (!key || event.nativeEvent.isComposing) return;
          event.preventDefault();
          key();
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className={css.list}>
        {choices.map((one, i) => (
          <button
            key={one.id}
            ref={i === chosen ? inSight : undefined}
            id={`${id}-${i}`}
            type="button"
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            className={css.item}
            onClick={() => take(one)}
            onMouseMove={() => setAt(i)}
          >
            {one.name}
            {one.note && <span className={css.note}>{one.note}</span>}
          </button>
        ))}
      </div>
      <p className={css.none} role="status">
        {choices.length === 0 ? none : ""}
      </p>
    </>
  );
}

const inSight = (node: HTMLElement | null) => node?.scrollIntoView({ block: "nearest" });
