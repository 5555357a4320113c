import { Button, Checkbox, CopyButton, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { Refused } from "../../api/failure.ts";
import type { Mode } from "../../api/wire.ts";
import { csv } from "../insight/figures.ts";
import { downloadCSV } from "../parts/download.ts";
import { refusalText } from "../parts/refusal.ts";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { Choices } from "./Choices.tsx";
import css from "./NewSession.module.css";
import { type Asked, bodyOf, columns, mostPeople, peopleOf } from "./people.ts";

/** What became of one person of the list. */
type Made = { person: Asked; url: string; why: string };

const whyOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return t("new.no_answer");
  const { title, more, english } = refusalText(error.problem);
  const { field, detail } = error.problem;
  return [title, field, detail && (english || more)].filter(Boolean).join(" ");
};

/** Makes a session for each person of a list, and shows the links, once. Those that were refused say why and can be tried again. */
export function NewSessions({ mode, onMade }: { mode: Mode; onMade: (n: number) => void }) {
  const [text, setText] = useState("");
  const [choice, setChoice] = useState({ workflow: "", locale: "" });
  const [send, setSend] = useState(false);
  const { data: here } = useQuery(queries.setup);
  const [wrong, setWrong] = useState("");
  const [done, setDone] = useState<Made[] | null>(null);
  const [at, setAt] = useState<{ n: number; of: number } | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const note = useId();

  const make = async (people: readonly Asked[]) => {
    const made: Made[] = [];
    for (const person of people) {
      setAt({ n: made.length + 1, of: people.length });
      const asked = {
        ...person,
        send: send && person.email ? "yes" : "",
        workflow: person.workflow || choice.workflow,
        locale: person.locale || choice.locale,
      };
      try {
        const { url } = await unwrap(api.POST("/v1/console/sessions", { body: bodyOf(mode, asked) }));
        made.push({ person, url: url ?? "", why: "" });
      } catch (error) {
        made.push({ person, url: "", why: whyOf(error) });
      }
    }
    setAt(null);
    setDone(made);
    onMade(made.filter(({ url }) => url).length);
    void client.invalidateQueries({ queryKey: ["sessions"] });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = peopleOf(text);
    if ("wrong" in read) return setWrong(t(`new.list.${read.wrong}`, { about: read.about, most: mostPeople }));
    setWrong("");
    void make(read.people);
  };
  if (done) return <Links made={done} />;
  return (
    <form className={css.form} onSubmit={submit}>
      <p id={note} className={css.text}>
        {t("new.list.hint", { columns: columns.join(", "), most: mostPeople })}
      </p>
      <Textarea
        label={t("new.list.label")}
        aria-describedby={note}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck={false}
        placeholder={"reference,given_names,family_name\norder-17,Ada,Doe"}
        value={text}
        error={wrong || undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={css.actions}>
        <Button variant="default" onClick={() => file.current?.click()}>
          {t("new.list.file")}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".csv,text/csv,text/plain"
          hidden
          aria-label={t("new.list.file")}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (chosen) void chosen.text().then(setText, () => setWrong(t("new.list.unreadable")));
          }}
        />
      </div>
      <Choices mode={mode} value={choice} onChange={setChoice} />
      {here?.mail && (
        <Checkbox label={t("send.list")} checked={send} onChange={(event) => setSend(event.currentTarget.checked)} />
      )}
      <Button type="submit" loading={at !== null} disabled={text.trim() === ""}>
        {t("new.list.submit")}
      </Button>
      <p className={css.text} role="status">
        {at ? t("new.list.making", at) : ""}
      </p>
    </form>
  );
}

const nameOf = ({ person }: Made): string =>
  person.reference || [person.given_names, person.family_name].filter(Boolean).join(" ");

function Links({ made }: { made: readonly Made[] }) {
  const links = made.filter(({ url }) => url);
  return (
    <div className={css.form}>
      <p className={css.text}>{t("new.ready_text")}</p>
      <div className={css.links}>
        <table>
          <caption className="visually-hidden">{t("new.list.links")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("new.list.who")}</th>
              <th scope="col">{t("new.link")}</th>
            </tr>
          </thead>
          <tbody>
            {made.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one reference, and the list does not change
              <tr key={i}>
                <th scope="row">{nameOf(one) || t("new.list.nobody", { n: i + 1 })}</th>
                <td>{one.url ? <code>{one.url}</code> : <span className={css.refused}>{one.why}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={css.actions}>
        <CopyButton value={links.map((one) => `${nameOf(one)}\t${one.url}`).join("\n")}>
          {({ copied, copy }) => (
            <Button onClick={copy} disabled={links.length === 0}>
              {t(copied ? "app.copied" : "new.list.copy")}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() =>
            downloadCSV(
              "links.csv",
              csv([
                [...columns, "link", "refused"],
                ...made.map(({ person, url, why }) => [...columns.map((name) => person[name]), url, why]),
              ]),
            )
          }
        >
          {t("new.list.save")}
        </Button>
      </div>
    </div>
  );
}
