import { HeadlessMantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeAll, expect, it, vi } from "vitest";
import { Picker } from "../src/console/parts/Picker.tsx";

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined; // jsdom has no layout
});

it("an arrow key before the list has come leaves the first of it to be chosen by Enter", async () => {
  const chosen = vi.fn();
  const field = (choices: readonly { id: string; name: string }[]) => (
    <HeadlessMantineProvider>
      <Picker label="Who" choices={choices} none="Nobody" text="" onText={() => undefined} onChoose={chosen} />
    </HeadlessMantineProvider>
  );
  const { rerender } = render(field([]));
  const box = screen.getByRole("combobox", { name: "Who" });
  await userEvent.type(box, "{ArrowDown}{ArrowUp}");
  const choices = [
    { id: "a", name: "Ada" },
    { id: "b", name: "Ben" },
  ];
  rerender(field(choices));
  expect(screen.getByRole("option", { name: "Ada" }).getAttribute("aria-selected")).toBe("true");
  expect(box.getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { name: "Ada" }).id);
  await userEvent.type(box, "{ArrowDown}{ArrowDown}{ArrowUp}{Enter}");
  expect(chosen).toHaveBeenCalledExactlyOnceWith(choices[0]);
});
