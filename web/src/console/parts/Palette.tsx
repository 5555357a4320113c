import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Mode } from "../../api/wire.ts";
import { developerPages } from "../developers/Navigation.tsx";
import { insightPages } from "../insight/Navigation.tsx";
import { queries } from "../queries.ts";
import { sessionLooks, sessionStates } from "../states.ts";
import { t } from "../words.ts";
import { pageCommands } from "./commands.ts";
import { Picker } from "./Picker.tsx";
import { Sheet } from "./Sheet.tsx";
import { settingsPages } from "./settings.ts";

type Target = { name: string; note?: string | undefined; go: (() => void) | null };

type Navigate = ReturnType<typeof useNavigate>;

/** What can be done on the open page; what is blocked says why. */
const actsHere = (): Target[] =>
  pageCommands().map(({ name, why, run }) => ({ name, note: why ?? t("palette.here"), go: why ? null : run }));

/** Every page of the console that somebody may see, in the mode that they look at. */
function pagesOf(navigate: Navigate, may: readonly string[], mode: Mode): Target[] {
  const search = mode === "live" ? { mode } : {};
  const where = (permission: string, ...targets: Target[]) => (may.includes(permission) ? targets : []);
  return [
    ...where(
      "insight.read",
      ...insightPages.map(({ to, word }) => ({ name: t(word), go: () => void navigate({ to, search }) })),
    ),
    { name: t("sessions.title"), go: () => void navigate({ to: "/console/sessions", search }) },
    ...where("cases.read", { name: t("cases.title"), go: () => void navigate({ to: "/console/cases", search }) }),
    ...where("workflows.read", {
      name: t("workflows.title"),
      go: () => void navigate({ to: "/console/workflows", search }),
    }),
    ...developerPages(may).map(({ to, word }) => ({ name: t(word), go: () => void navigate({ to, search }) })),
    ...settingsPages(may).map(({ to, word }) => ({ name: t(word), go: () => void navigate({ to, search: {} }) })),
    ...sessionStates.map((state) => ({
      name: `${t("sessions.title")} · ${t(sessionLooks[state].word)}`,
      go: () => void navigate({ to: "/console/sessions", search: { ...search, state } }),
    })),
  ];
}

/** What an id that is typed leads to. */
function byId(navigate: Navigate, id: string): Target[] {
  const params = { id };
  if (/^ses_[0-9a-z]+$/.test(id))
    return [{ name: t("palette.session", { id }), go: () => void navigate({ to: "/console/sessions/$id", params }) }];
  if (/^cas_[0-9a-z]+$/.test(id))
    return [{ name: t("palette.case", { id }), go: () => void navigate({ to: "/console/cases/$id", params }) }];
  return [];
}

/** Ctrl/⌘ K: what can be done here, every page by its name, a session and a case by its id. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { mode = "test" } = useSearch({ strict: false });
  const { data: me } = useQuery(queries.me);
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const named = [...actsHere(), ...pagesOf(navigate, me?.may ?? [], mode)].filter(({ name }) =>
    name.toLowerCase().includes(wanted),
  );
  return (
    <Sheet onClose={onClose} title={t("palette.title")} size="md">
      <Picker
        label={t("palette.placeholder")}
        choices={[...byId(navigate, wanted), ...named].map((one, i) => ({ ...one, id: `${i} ${one.name}` }))}
        none={t("palette.none")}
        text={text}
        onText={setText}
        onChoose={({ go }) => {
          if (!go) return;
          onClose();
          go();
        }}
      />
    </Sheet>
  );
}
