import { Button, Checkbox, Radio, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { EventKind, Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { Secret } from "./Secret.tsx";

/** Makes a webhook endpoint and shows its signing secret, once. */
export function NewWebhook({ mode, types, onClose }: { mode: Mode; types: readonly EventKind[]; onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [which, setWhich] = useState("all");
  const [chosen, setChosen] = useState<string[]>([]);
  const some = which === "some";
  const make = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/webhook-endpoints", {
          body: { mode, url: url.trim(), ...(some ? { events: chosen } : {}) },
        }),
      ),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["endpoints"] }),
  });
  return (
    <Sheet size="lg" title={t(make.data ? "webhooks.ready" : `webhooks.make.${mode}`)} onClose={onClose}>
      {make.data ? (
        <>
          <Secret label={t("webhooks.secret")} value={make.data.secret ?? ""}>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/console/developers/webhooks/$id"
                  params={{ id: make.data.id }}
                  search={mode === "live" ? { mode } : {}}
                  {...props}
                />
              )}
            >
              {t("webhooks.see")}
            </Button>
          </Secret>
          <p className={css.soft}>{t("webhooks.secret_hint")}</p>
        </>
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
            label={t("webhooks.url")}
            description={t("webhooks.url_hint")}
            type="url"
            required
            withAsterisk={false}
            maxLength={2000}
            autoComplete="off"
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Radio.Group label={t("webhooks.which")} value={which} onChange={setWhich}>
            <div className={css.choices}>
              <Radio value="all" label={t("webhooks.which.all")} />
              <Radio value="some" label={t("webhooks.which.some")} />
            </div>
          </Radio.Group>
          {some && (
            <Checkbox.Group aria-label={t("webhooks.which")} value={chosen} onChange={setChosen}>
              <div className={css.choices}>
                {types.map(({ type, when }) => (
                  <Checkbox key={type} value={type} label={type} description={when} />
                ))}
              </div>
            </Checkbox.Group>
          )}
          <Button type="submit" loading={make.isPending} disabled={some && chosen.length === 0}>
            {t("webhooks.submit")}
          </Button>
        </form>
      )}
    </Sheet>
  );
}
