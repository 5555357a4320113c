import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../words.ts";
import css from "./FilterChip.module.css";

export type Option = { value: string; label: string };

/** A row of filters; on a phone it scrolls sideways within itself. */
export function FilterChips({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={css.chips}>
      <legend className="visually-hidden">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** One of several values to narrow a list by. What the address asks for can be seen and cleared, also where nothing has it any more. */
export function FilterChip({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: Option[];
  value: string | undefined;
  onChange: (value: string | null) => void;
}) {
  const options = !value || data.some((one) => one.value === value) ? data : [...data, { value, label: value }];
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
      size="xs"
      radius="xl"
      nothingFoundMessage={t("filter.nothing")}
      comboboxProps={{ width: 280, position: "bottom-start" }}
      clearButtonProps={{ "aria-label": t("filter.drop", { name: label }) }}
      className={(value ? css.set : css.select) ?? ""}
      {...(value ? {} : { style: { inlineSize: `calc(${label.length}ch + 2.75rem)` } })}
      classNames={{ input: css.input ?? "" }}
    />
  );
}

/** A filter that is on or off. */
export function FilterToggle({
  on,
  onChange,
  children,
}: {
  on: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={css.toggle} aria-pressed={on} onClick={() => onChange(!on)}>
      {children}
    </button>
  );
}
