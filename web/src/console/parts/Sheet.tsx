import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "../words.ts";

// Where the keyboard was before the first of the dialogs that follow on one another.
let home: Element | null = null;

/** A dialog, on the screen as long as it is rendered. Once it is gone, the keyboard is where it was before. */
export function Sheet({
  title,
  size = "md",
  onClose,
  children,
}: {
  title: string;
  size?: NonNullable<ModalProps["size"]>;
  onClose: () => void;
  children: ReactNode;
}) {
  useReturn();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ "aria-label": t("app.close") }}>
      {children}
    </Modal>
  );
}

function useReturn(): void {
  // Asked while rendering: once it is there, the dialog has taken the focus.
  const [before] = useState(() => {
    const now = document.activeElement;
    if (!now?.closest('[role="dialog"]')) home = now;
    return home;
  });
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const lost = document.activeElement === document.body || !document.activeElement;
        if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
