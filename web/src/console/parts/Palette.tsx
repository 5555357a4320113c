import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { developerPages } from "../developers/Navigation.tsx";
import { queries } from "../queries.ts";
import { sessionLooks, sessionStates } from "../states.ts";
import { t } from "../words.ts";
import { Choose } from "./Choose.tsx";

type Target = { id: string; name: string; go: () => void };

type Navigate = ReturnType<typeof useNavigate>;

/** Every page that can be gone to by its name; an id that is typed is a session. */
function targetsOf(navigate: Navigate, may: readonly string[], wanted: string): Target[] {
  const all: Omit<Target, "id">[] = [
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
  const named = all.filter(({ name }) => name.toLowerCase().includes(wanted)).map((one) => ({ id: one.name, ...one }));
  if (!/^ses_[0-9a-z]+$/.test(wanted)) return named;
  const go = () => void navigate({ to: "/console/sessions/$id", params: { id: wanted } });
  return [{ id: wanted, name: t("palette.session", { id: wanted }), go }, ...named];
}

/** Ctrl/⌘ K: every page by its name, and a session by its id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data: me } = useQuery(queries.me);
  const [text, setText] = useState("");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("palette.title")}
      closeButtonProps={{ "aria-label": t("app.close") }}
      size="md"
    >
      <Choose
        label={t("palette.placeholder")}
        choices={targetsOf(navigate, me?.may ?? [], text.trim().toLowerCase())}
        none={t("palette.none")}
        text={text}
        onText={setText}
        onChoose={({ go }) => {
          onClose();
          go();
        }}
      />
    </Modal>
  );
}
