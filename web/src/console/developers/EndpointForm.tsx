import { Button, Checkbox, Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import type { EventKind, WebhookEndpoint } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { t } from "../words.ts";
import css from "./Developers.module.css";

type Content = WebhookEndpoint["content"];
const contents: readonly Content[] = ["ids", "reference", "session"];

/** What somebody says about an endpoint. */
export type Said = { url: string; events: string[]; content: Content };

type Props = {
  was: Said;
  types: readonly EventKind[];
  submit: string;
  busy: boolean;
  error: unknown;
  /** Whether this member may read sessions of the mode, and so let webhooks carry them. */
  reads: boolean;
  onSubmit: (said: Said) => void;
};

/** Address, events and content of an endpoint, new or changed. */
export function EndpointForm({ was, types, submit, busy, error, reads, onSubmit }: Props) {
  const [url, setUrl] = useState(was.url);
  const [which, setWhich] = useState(was.events.length > 0 ? "some" : "all");
  const [chosen, setChosen] = useState<string[]>(was.events);
  const [content, setContent] = useState<Content>(was.content);
  const some = which === "some";
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ url: url.trim(), events: some ? chosen : [], content });
      }}
    >
      <ErrorMessage error={error} />
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
      <Radio.Group
        label={t("webhooks.content")}
        description={t(reads ? "webhooks.content_hint" : "webhooks.content_blocked")}
        value={content}
        onChange={(value) => setContent(contents.find((one) => one === value) ?? "ids")}
      >
        <div className={css.choices}>
          {contents.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`webhooks.content.${one}`)}
              disabled={!reads && one !== "ids" && one !== was.content}
            />
          ))}
        </div>
      </Radio.Group>
      <Button type="submit" loading={busy} disabled={some && chosen.length === 0}>
        {submit}
      </Button>
    </form>
  );
}
