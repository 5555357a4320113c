import { Modal, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { developerPages } from "../developers/Navigation.tsx";
import { queries } from "../queries.ts";
import { sessionLooks, sessionStates } from "../states.ts";
import { t } from "../words.ts";
import css from "./Palette.module.css";

type Target = { name: string; go: () => void };

type Navigate = ReturnType<typeof useNavigate>;

/** Every page that can be gone to by its name; an id that is typed is a session. */
function targetsOf(navigate: Navigate, may: readonly string[], wanted: string): Target[] {
  const all: Target[] = [
    { name: t("sessions.title"), go: () => void navigate({ to: "/console/sessions", search: {} }) },
    { name: t("cases.title"), go: () => void navigate({ to: "/console/cases", search: {} }) },
    ...developerPages(may).map(({ to, word }) => ({ name: t(word), go: () => void navigate({ to, search: {} }) })),
    ...(may.includes("audit.read")
      ? [{ name: t("audit.title"), go: () => void navigate({ to: "/console/settings/audit", search: {} }) }]
      : []),
    ...sessionStates.map((state) => ({
      name: `${t("sessions.title")} · ${t(sessionLooks[state].word)}`,
      go: () => void navigate({ to: "/console/sessions", search: { state } }),
    })),
  ];
  const named = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (!/^ses_[0-9a-z]+$/.test(wanted)) return named;
  const go = () => void navigate({ to: "/console/sessions/$id", params: { id: wanted } });
  return [{ name: t("palette.session", { id: wanted }), go }, ...named];
}

/** Ctrl/⌘ K: every page by its name, and a session by its id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data: me } = useQuery(queries.me);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);

  const found = targetsOf(navigate, me?.may ?? [], text.trim().toLowerCase());
  const chosen = Math.min(at, found.length - 1);
  const take = (target: Target | undefined) => {
    if (!target) return;
    onClose();
    target.go();
  };
  const keys = new Map([
    ["ArrowDown", () => setAt(Math.min(chosen + 1, found.length - 1))],
    ["ArrowUp", () => setAt(Math.max(chosen - 1, 0))],
    ["Enter", () => take(found[chosen])],
  ]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("palette.title")}
      closeButtonProps={{ "aria-label": t("app.close") }}
      size="md"
    >
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        aria-label={t("palette.placeholder")}
        placeholder={t("palette.placeholder")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const key = keys.get(event.key);
          if (!key) return;
          event.preventDefault();
          key();
        }}
      />
      <div id="palette-list" role="listbox" aria-label={t("palette.title")} className={css.list}>
        {found.map((target, i) => (
          <button
            key={target.name}
            id={`palette-${i}`}
            type="button"
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            className={css.item}
            onClick={() => take(target)}
            onMouseMove={() => setAt(i)}
          >
            {target.name}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className={css.none}>{t("palette.none")}</p>}
    </Modal>
  );
}
