import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useClickOutside } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode, SavedView } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Done } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import { isView, type Narrowing, narrowing, type SessionsSearch } from "./filter.ts";
import { calls, listQueries } from "./queries.ts";
import css from "./Views.module.css";

/** One's saved views: to go to one, to save what is narrowed now, to delete the one that is shown. */
export function Views({
  mode,
  search,
  onView,
}: {
  mode: Mode;
  search: SessionsSearch;
  onView: (filter: Narrowing) => void;
}) {
  const { data } = useQuery(listQueries.views(mode));
  const [open, setOpen] = useState(false);
  const box = useClickOutside(() => setOpen(false));
  const act = (what: () => void) => {
    setOpen(false);
    what();
  };
  const [naming, setNaming] = useState(false);
  const [gone, setGone] = useState<SavedView | null>(null);
  const again = () => void client.invalidateQueries({ queryKey: ["views", mode] });
  const remove = useMutation({
    mutationFn: calls.deleteView,
    onSuccess: (_, view) => {
      again();
      setGone(view);
    },
  });
  const bring = useMutation({
    mutationFn: (view: SavedView) => calls.saveView(mode, view.name, narrowing({ ...view.filter })),
    onSuccess: () => {
      again();
      setGone(null);
    },
  });
  const views = data?.items ?? [];
  const shown = views.find((view) => isView(view, search));
  const narrowed = Object.keys(narrowing(search)).length > 0;
  return (
    <>
      <div className={css.views} ref={box}>
        <Button
          variant="default"
          aria-expanded={open}
          aria-controls="views"
          onClick={() => setOpen(!open)}
          onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
        >
          {shown ? t("views.shown", { name: shown.name }) : t("views.title")} ▾
        </Button>
        <div id="views" className={css.list} hidden={!open}>
          {views.length === 0 && <p className={css.none}>{t("views.none")}</p>}
          <ul>
            {views.map((view) => (
              <li key={view.id}>
                <button
                  type="button"
                  className={css.item}
                  aria-current={view === shown}
                  onClick={() => act(() => onView(narrowing({ ...view.filter })))}
                >
                  {view.name}
                </button>
              </li>
            ))}
          </ul>
          <div className={css.acts}>
            {shown ? (
              <button type="button" className={css.item} onClick={() => act(() => remove.mutate(shown))}>
                {t("views.delete", { name: shown.name })}
              </button>
            ) : narrowed ? (
              <button type="button" className={css.item} onClick={() => act(() => setNaming(true))}>
                {t("views.save")}
              </button>
            ) : (
              <p className={css.none}>{t("views.save_blocked")}</p>
            )}
          </div>
        </div>
      </div>
      <div className={css.said}>
        <ErrorMessage error={remove.error ?? bring.error} />
        <Done deed={gone ? { text: t("views.deleted", { name: gone.name }), undo: () => bring.mutate(gone) } : null} />
      </div>
      {naming && (
        <Name
          mode={mode}
          filter={narrowing(search)}
          onClose={() => setNaming(false)}
          onSaved={() => {
            again();
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function Name({
  mode,
  filter,
  onSaved,
  onClose,
}: {
  mode: Mode;
  filter: Narrowing;
  onSaved: () => void;
  onClose: () => void;
}) {
  const form = useForm({ initialValues: { name: "" } });
  const save = useMutation({
    mutationFn: ({ name }: { name: string }) => calls.saveView(mode, name, filter),
    onSuccess: onSaved,
  });
  return (
    <Sheet onClose={onClose} title={t("views.name_title")}>
      <form className={css.form} onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <ErrorMessage error={save.error} />
        <TextInput
          data-autofocus
          label={t("views.name")}
          description={t("views.name_hint")}
          required
          withAsterisk={false}
          maxLength={60}
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <Button type="submit" loading={save.isPending}>
          {t("views.save_now")}
        </Button>
      </form>
    </Sheet>
  );
}
