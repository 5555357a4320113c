import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { KeyScope, Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { Secret } from "./Secret.tsx";

const lives = ["0", "30", "90", "365"] as const;
const lifeOf = (value: string | null) => lives.find((life) => life === value) ?? "0";

/** What most keys need, where the person may give it. */
const usual = ["sessions.read", "sessions.write"];

/** Makes an API key and shows it, once. */
export function NewKey({ mode, scopes, onClose }: { mode: Mode; scopes: readonly KeyScope[]; onClose: () => void }) {
  const [name, setName] = useState("");
  const [life, setLife] = useState<(typeof lives)[number]>("0");
  const [chosen, setChosen] = useState(() => scopes.map(({ scope }) => scope).filter((scope) => usual.includes(scope)));
  const make = useMutation({
    mutationFn: () => {
      const days = Number(life);
      const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
      return unwrap(
        api.POST("/v1/console/keys", { body: { name, mode, scopes: chosen, ...(days > 0 ? { expires_at } : {}) } }),
      );
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: ["keys"] }),
  });
  return (
    <Sheet size="lg" title={t(make.data ? "keys.ready" : `keys.make.${mode}`)} onClose={onClose}>
      {make.data ? (
        <Secret label={t("keys.secret")} value={make.data.secret ?? ""}>
          <Button variant="default" onClick={onClose}>
            {t("developers.done")}
          </Button>
        </Secret>
      ) : (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate();
          }}
        >
          <ErrorMessage error={make.error} />
          <TextInput
            data-autofocus
            label={t("keys.name")}
            description={t("keys.name_hint")}
            required
            withAsterisk={false}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label={t("keys.may")} description={t("keys.may_hint")} value={chosen} onChange={setChosen}>
            <div className={css.choices}>
              {scopes.map(({ scope, what }) => (
                <Checkbox key={scope} value={scope} label={scope} description={what} />
              ))}
            </div>
          </Checkbox.Group>
          <Select
            label={t("keys.life")}
            value={life}
            onChange={(value) => setLife(lifeOf(value))}
            data={lives.map((value) => ({ value, label: t(`keys.life.${value}`) }))}
            allowDeselect={false}
          />
          <Button type="submit" loading={make.isPending} disabled={chosen.length === 0}>
            {t("keys.submit")}
          </Button>
        </form>
      )}
    </Sheet>
  );
}
