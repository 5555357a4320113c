import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OfferedReasons } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { useReasons } from "../parts/reasons.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Dialogs.module.css";
import { calls, caseQueries } from "./queries.ts";

/** How many reasons can be offered. The server refuses more. */
const most = 30;

/** Chooses which reasons every reviewer is offered for declining. */
export function Offered({ onClose }: { onClose: () => void }) {
  const { data } = useSuspenseQuery(caseQueries.offered());
  const { name, reviewer } = useReasons();
  const [{ reasons, favourites }, setOffered] = useState<OfferedReasons>(data);
  const [text, setText] = useState("");
  const save = useMutation({
    mutationFn: calls.offer,
    onSuccess: (set) => {
      client.setQueryData(caseQueries.offered().queryKey, set);
      onClose();
    },
  });
  const toggled = (all: string[], code: string) =>
    all.includes(code) ? all.filter((one) => one !== code) : [...all, code];
  const toggle = (code: string) =>
    setOffered({ reasons: toggled(reasons, code), favourites: favourites.filter((one) => one !== code) });
  const favour = (code: string) => setOffered({ reasons, favourites: toggled(favourites, code) });
  const words = text.trim().toLowerCase();
  const rows = [...new Set([...data.reasons, ...data.all])].filter((code) =>
    `${name(code)} ${code}`.toLowerCase().includes(words),
  );
  return (
    <Sheet onClose={onClose} title={t("offered.title")} size="lg">
      <div className={css.form}>
        <p className={css.quiet}>{t("offered.text")}</p>
        <ErrorMessage error={save.error} />
        <TextInput
          type="search"
          aria-label={t("offered.search")}
          placeholder={t("offered.search")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ul className={css.list}>
          {rows.map((code) => (
            <li key={code} className={css.offered}>
              <Checkbox
                checked={reasons.includes(code)}
                onChange={() => toggle(code)}
                label={name(code)}
                description={reviewer(code)}
                aria-label={t("offered.offer", { name: name(code) })}
              />
              <Button
                size="compact-sm"
                variant={favourites.includes(code) ? "light" : "subtle"}
                disabled={!reasons.includes(code)}
                aria-pressed={favourites.includes(code)}
                aria-label={t("offered.favourite", { name: name(code) })}
                onClick={() => favour(code)}
              >
                {t("decline.favourite")}
              </Button>
            </li>
          ))}
        </ul>
        <p className={css.quiet} role="status">
          {reasons.length > most ? t("offered.most") : t("offered.chosen", { n: reasons.length })}
        </p>
        <div className={css.steps}>
          <Button
            onClick={() => save.mutate({ reasons, favourites })}
            loading={save.isPending}
            disabled={reasons.length === 0 || reasons.length > most}
          >
            {t("offered.save")}
          </Button>
          <Button variant="default" onClick={() => save.mutate({ reasons: [], favourites: [] })}>
            {t("offered.default")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
