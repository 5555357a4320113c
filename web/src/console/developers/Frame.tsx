import { Modal } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Mode } from "../../api/wire.ts";
import { t } from "../words.ts";

/** Whose data these pages show: it stands in the address. */
export function useMode(): Mode {
  const search = useSearch({ strict: false });
  return search.mode ?? "test";
}

/** A dialogue of this part. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("app.close") }} size="lg">
      {children}
    </Modal>
  );
}
