import { Button, CopyButton, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../words.ts";
import css from "./Developers.module.css";

/** A secret that was made just now: shown this once, with a button that copies it. */
export function Secret({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div className={css.form}>
      <p className={css.soft}>{t("developers.once")}</p>
      <TextInput
        label={label}
        readOnly
        data-autofocus
        value={value}
        classNames={{ input: css.secret ?? "" }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={css.actions}>
        <CopyButton value={value}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "app.copied" : "app.copy")}</Button>}
        </CopyButton>
        {children}
      </div>
    </div>
  );
}
