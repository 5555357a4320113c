import { Button, FileButton, NativeSelect, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { t } from "../words.ts";
import css from "./Trust.module.css";

/** A file to choose or to drop. */
export function Chooser({ file, hint, onFile }: { file: File | null; hint: string; onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const id = useId();
  return (
    <div className={css.form}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside does the same by keyboard */}
      <div
        className={css.drop}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped) onFile(dropped);
        }}
      >
        <FileButton
          onChange={(chosen) => chosen && onFile(chosen)}
          inputProps={{ "aria-label": t("trust.upload.file"), "aria-describedby": id }}
        >
          {(props) => (
            <Button {...props} variant="default" data-autofocus>
              {t(file ? "trust.upload.another" : "trust.upload.choose")}
            </Button>
          )}
        </FileButton>
        {file ? <strong>{file.name}</strong> : <span className={css.soft}>{t("trust.upload.drop")}</span>}
      </div>
      <p id={id} className={css.soft}>
        {hint}
      </p>
    </div>
  );
}

const purposes = ["csca", "iaca", "issuer", "vical"] as const;
export type Purpose = (typeof purposes)[number];

/** What a certificate is for: a kind of evidence and, for wallets, one type of credential. */
export function PurposeFields({
  label,
  first,
  purpose,
  scope,
  onPurpose,
  onScope,
}: {
  label: string;
  first: string;
  purpose: Purpose | "";
  scope: string;
  onPurpose: (purpose: Purpose | "") => void;
  onScope: (scope: string) => void;
}) {
  return (
    <>
      <NativeSelect
        label={label}
        value={purpose}
        onChange={(event) => onPurpose(purposes.find((one) => one === event.currentTarget.value) ?? "")}
        data={[
          { value: "", label: first },
          ...purposes.filter((one) => one !== "csca").map((value) => ({ value, label: t(`trust.purpose.${value}`) })),
        ]}
      />
      {(purpose === "iaca" || purpose === "issuer") && (
        <TextInput
          label={t(`trust.upload.scope.${purpose}`)}
          description={t("trust.upload.scope.hint")}
          placeholder={purpose === "iaca" ? "org.iso.18013.5.1.mDL" : "urn:eudi:pid:1"}
          required
          withAsterisk={false}
          maxLength={200}
          value={scope}
          onChange={(event) => onScope(event.currentTarget.value)}
        />
      )}
    </>
  );
}
