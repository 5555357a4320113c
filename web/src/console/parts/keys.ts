import { type HotkeyItem, useHotkeys } from "@mantine/hooks";

/** Binds single keys, with or without Shift. They do nothing while somebody writes in a field or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useHotkeys(
    Object.entries(keys).flatMap(([key, run]): HotkeyItem[] => {
      const press = (event: KeyboardEvent) => {
        if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
        event.preventDefault();
        run();
      };
      return [
        [key, press, { preventDefault: false }],
        [`shift+${key}`, press, { preventDefault: false }],
      ];
    }),
  );
}
