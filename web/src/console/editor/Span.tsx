import { NativeSelect, NumberInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../words.ts";
import css from "./Editor.module.css";
import { hoursOf, inUnit, type Unit, unitOf, units } from "./span.ts";

const words: Record<Unit, string> = { hours: t("editor.hours"), days: t("editor.days") };
const all: readonly Unit[] = ["hours", "days"];

/** A time in the unit that people use for it: days where it is whole days, else hours. */
export function Span({
  label,
  description,
  hours,
  error,
  onChange,
}: {
  label: string;
  description?: string | undefined;
  hours: number;
  error: ReactNode;
  onChange: ((hours: number) => void) | null;
}) {
  const [unit, setUnit] = useState<Unit>(unitOf(hours));
  const shown = hours % units[unit] === 0 ? unit : "hours";
  return (
    <NumberInput
      label={label}
      description={description}
      value={inUnit(hours, shown)}
      min={0}
      max={10_000}
      disabled={onChange === null}
      error={error}
      hideControls
      onChange={(value) => onChange?.(hoursOf(value, shown))}
      rightSectionWidth={104}
      rightSection={
        <NativeSelect
          aria-label={t("editor.unit", { name: label })}
          variant="unstyled"
          className={css.unit ?? ""}
          value={shown}
          disabled={onChange === null}
          data={all.map((value) => ({ value, label: words[value] }))}
          onChange={(event) => {
            const next = all.find((one) => one === event.currentTarget.value) ?? "hours";
            setUnit(next);
            onChange?.(hoursOf(inUnit(hours, shown), next));
          }}
        />
      }
    />
  );
}
