import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WatchlistFound } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { t } from "../words.ts";
import css from "./Hit.module.css";
import { FoundCard } from "./HitCard.tsx";
import lists from "./Lists.module.css";
import { calls } from "./queries.ts";

type Written = NonNullable<WatchlistFound["written_alike"]>;

/** Looks for a person on the watchlists by hand. Nothing of it is kept but which facts were searched by. */
export function SearchPage() {
  const [name, setName] = useState("");
  const [birth, setBirth] = useState("");
  const [sex, setSex] = useState("");
  const [nationality, setNationality] = useState("");
  const [number, setNumber] = useState("");
  const [alike, setAlike] = useState("");
  const { name: title } = useReasons();
  const find = useMutation({
    mutationFn: () =>
      calls.search({
        name,
        ...(birth ? { birth_date: birth } : {}),
        ...(sex === "M" || sex === "F" ? { sex } : {}),
        ...(nationality ? { nationalities: [nationality] } : {}),
        ...(number ? { document_numbers: [number] } : {}),
        ...(alike ? { written_alike_from: Number(alike) } : {}),
      }),
  });
  const { data } = find;
  return (
    <Page
      title={t("search.title")}
      lead={t("search.lead")}
      actions={
        <Link to="/console/screening" className={css.link}>
          {t("screening.title")}
        </Link>
      }
    >
      <form
        className={lists.fields}
        onSubmit={(event) => {
          event.preventDefault();
          find.mutate();
        }}
      >
        <TextInput
          label={t("search.name")}
          required
          maxLength={300}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t("search.birth")}
          placeholder="1965-03-04"
          maxLength={10}
          value={birth}
          onChange={(event) => setBirth(event.currentTarget.value)}
        />
        <TextInput
          label={t("search.nationality")}
          placeholder="DEU"
          maxLength={60}
          value={nationality}
          onChange={(event) => setNationality(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("search.sex")}
          data={[
            { value: "", label: t("search.unknown") },
            { value: "F", label: "F" },
            { value: "M", label: "M" },
          ]}
          value={sex}
          onChange={(event) => setSex(event.currentTarget.value)}
        />
        <TextInput
          label={t("search.number")}
          maxLength={60}
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("search.alike")}
          description={t("search.alike.help")}
          data={[
            { value: "", label: t("search.alike.no") },
            ...["95", "90", "85", "75"].map((value) => ({ value, label: t("search.alike.from", { n: value }) })),
          ]}
          value={alike}
          onChange={(event) => setAlike(event.currentTarget.value)}
        />
        <Button type="submit" loading={find.isPending}>
          {t("search.find")}
        </Button>
      </form>
      <ErrorMessage error={find.error} />
      {data && (
        <Section title={t("search.found", { n: data.hits.length })}>
          {data.reasons.map((code) => (
            <p key={code} className={css.warn}>
              {title(code)}
            </p>
          ))}
          {data.hits.length === 0 && data.reasons.length === 0 && <p>{t("search.nobody")}</p>}
          <div className={css.hits}>
            {data.hits.map((one) => (
              <FoundCard key={one.list + one.entry} found={one} />
            ))}
          </div>
        </Section>
      )}
      {data?.written_alike && <WrittenAlike found={data.written_alike} />}
    </Page>
  );
}

/** Names that are written alike, as a search that compares letters shows them. They are no hits, and nobody decides them. */
function WrittenAlike({ found: { items, total } }: { found: Written }) {
  return (
    <Section title={t("search.written", { n: total })}>
      <p className={lists.soft}>{t("search.written.lead")}</p>
      {items.length === 0 && <p>{t("search.written.none")}</p>}
      {total > items.length && <p>{t("search.written.first", { n: items.length })}</p>}
      <ul className={css.written}>
        {items.map((one) => (
          <li key={one.list + one.entry}>
            <bdi>{one.listed}</bdi>
            <span className={lists.soft}>
              {one.list} · {one.entry}
            </span>
            <span>{t("search.written.alike", { n: one.alike })}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
