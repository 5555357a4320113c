import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Case } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Picker } from "../parts/Picker.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Dialogs.module.css";
import { calls, caseQueries, refresh } from "./queries.ts";

/** Gives a case to a member who may decide it, found by their name. */
export function Assign({ one, onClose }: { one: Case; onClose: () => void }) {
  const [text, setText] = useState("");
  const { data, error } = useQuery(caseQueries.deciders(one.id));
  const { data: me } = useSuspenseQuery(queries.me);
  const give = useMutation({
    mutationFn: (to: string) => calls.assign(one.id, to),
    onSuccess: onClose,
    onSettled: () => refresh(one.id, one.session.id),
  });
  const wanted = text.trim().toLowerCase();
  const choices = (data?.items ?? [])
    .filter(({ id, name }) => id !== one.assignee?.id && name.toLowerCase().includes(wanted))
    .map(({ id, name }) => ({ id, name, note: id === me.id ? t("case.you") : undefined }));
  return (
    <Sheet onClose={onClose} title={t("assign.title")}>
      <div className={css.form}>
        <p className={css.quiet}>{t("assign.text")}</p>
        <ErrorMessage error={error ?? give.error} />
        <div>
          <Picker
            label={t("assign.search")}
            choices={choices}
            none={data ? t("assign.none") : t("app.loading")}
            text={text}
            onText={setText}
            onChoose={({ id }) => !give.isPending && give.mutate(id)}
          />
        </div>
      </div>
    </Sheet>
  );
}
