import { Button, Menu } from "@mantine/core";
import { useId } from "react";
import { t } from "../words.ts";
import { usePageCommands } from "./commands.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import css from "./Export.module.css";
import { type Fetched, useFetching } from "./fetching.ts";

/** The formats of an export, as the server calls them; they are the endings of the files, too. */
const formats = ["csv", "jsonl"] as const;
export type Format = (typeof formats)[number];

/** The most rows that the server exports at once. */
const most = 10_000;

/** Says how many rows the file will have: `limit` if only that there is one, nothing where neither is known. */
function sizeOf(rows: number | "limit" | undefined): string {
  if (rows === undefined) return "";
  if (rows === "limit") return t("export.limit", { n: most });
  return rows > most ? t("export.first", { most, n: rows }) : t("export.rows", { n: rows });
}

/** A menu that saves what a page lists as a file, under the filters that are set. Who may not do so reads why in the menu. */
export function Export({
  name,
  rows,
  why,
  onOpen,
  get,
}: {
  /** Of the file, without its ending. */
  name: string;
  rows?: number | "limit" | undefined;
  /** Why there is no export; null if there is. */
  why?: string | null;
  onOpen?: () => void;
  get: (format: Format) => Promise<Fetched>;
}) {
  const fetched = useFetching();
  const note = useId();
  const save = (format: Format) => fetched.mutate({ name: `${name}.${format}`, get: () => get(format) });
  usePageCommands(
    formats.map((format) => ({
      name: t("export.as", { format: t(`export.${format}`) }),
      why,
      run: () => save(format),
    })),
  );
  const text = why ?? sizeOf(rows);
  return (
    <>
      <ErrorMessage error={fetched.error} />
      <Menu
        position="bottom-end"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        {...(onOpen ? { onOpen } : {})}
      >
        <Menu.Target>
          <Button variant="default" loading={fetched.isPending} rightSection={<span aria-hidden="true">▾</span>}>
            {t("export.button")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-describedby={note} className={css.menu}>
          <p id={note} className={css.note}>
            {text}
          </p>
          {formats.map((format) => (
            <Menu.Item key={format} disabled={Boolean(why)} onClick={() => save(format)}>
              {t(`export.${format}`)} <small className={css.for}>{t(`export.${format}.for`)}</small>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
