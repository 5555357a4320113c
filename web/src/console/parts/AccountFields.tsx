import { PasswordInput, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { t } from "../words.ts";

// The fields of an account, with the same label and the same autofill on each page that has them.

type Field = { input: GetInputPropsReturnType; autoFocus?: boolean };

export function NameField({ input, autoFocus = false }: Field) {
  return (
    <TextInput
      label={t("setup.name")}
      required
      withAsterisk={false}
      maxLength={100}
      autoComplete="name"
      autoFocus={autoFocus}
      {...input}
    />
  );
}

export function EmailField({ input, autoFocus = false }: Field) {
  return (
    <TextInput
      label={t("setup.email")}
      required
      withAsterisk={false}
      type="email"
      autoComplete="username"
      autoFocus={autoFocus}
      {...input}
    />
  );
}

/** A password that somebody chooses. */
export function NewPasswordField({ input, label = t("setup.password") }: Field & { label?: string }) {
  return (
    <PasswordInput
      label={label}
      description={t("setup.password_hint")}
      required
      withAsterisk={false}
      minLength={12}
      autoComplete="new-password"
      {...input}
    />
  );
}

/** The password that somebody has. */
export function PasswordField({ input, label = t("account.present"), autoFocus = false }: Field & { label?: string }) {
  return (
    <PasswordInput
      label={label}
      required
      withAsterisk={false}
      autoComplete="current-password"
      autoFocus={autoFocus}
      {...input}
    />
  );
}
