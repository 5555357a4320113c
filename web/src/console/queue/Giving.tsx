import { Button, NumberInput, Switch } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Assigning, Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import css from "./Queue.module.css";
import { reviewCalls, reviewQueries } from "./queries.ts";

/** Turns the automatic assignment of cases on or off, and shows how much everybody has. */
export function Giving({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const { data, error } = useQuery(reviewQueries.assignment(mode));
  return (
    <Sheet onClose={onClose} title={t("giving.title")} size="lg">
      <div className={css.form}>
        <p className={css.quiet}>{t("giving.text")}</p>
        <ErrorMessage error={error} />
        {data && <Form mode={mode} data={data} />}
        {data && <Loads reviewers={data.reviewers} />}
      </div>
    </Sheet>
  );
}

function Form({ mode, data }: { mode: Mode; data: Assigning }) {
  const [enabled, setEnabled] = useState(data.enabled);
  const [most, setMost] = useState<number | string>(data.most);
  const save = useMutation({ mutationFn: () => reviewCalls.assign(mode, enabled, Number(most)) });
  return (
    <>
      <ErrorMessage error={save.error} />
      <Switch
        label={t("giving.enabled")}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <NumberInput
        label={t("giving.most")}
        value={most}
        onChange={setMost}
        min={1}
        max={100}
        className={css.number ?? ""}
      />
      <div className={css.acts}>
        <Button
          loading={save.isPending}
          disabled={enabled === data.enabled && Number(most) === data.most}
          onClick={() => save.mutate()}
        >
          {t("giving.save")}
        </Button>
        <span role="status" className={css.quiet}>
          {save.isSuccess ? t("giving.saved") : ""}
        </span>
      </div>
    </>
  );
}

function Loads({ reviewers }: { reviewers: Assigning["reviewers"] }) {
  if (reviewers.length === 0) return <p className={css.quiet}>{t("giving.nobody")}</p>;
  const columns = [t("giving.reviewers"), t("giving.held"), t("giving.state")];
  return (
    <Table caption={t("giving.reviewers")} columns={columns}>
      {reviewers.map(({ id, name, held, away_since }) => (
        <tr key={id} className={cell.row}>
          <th scope="row" className={cell.name}>
            {name}
          </th>
          <td data-label={columns[1]}>{held}</td>
          <td>
            <State shape={away_since ? "idle" : "pass"}>{t(away_since ? "giving.away" : "giving.here")}</State>
          </td>
        </tr>
      ))}
    </Table>
  );
}
