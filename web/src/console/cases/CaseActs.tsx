import { Button } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { SessionFile } from "../../api/wire.ts";
import { usePageCommands } from "../parts/commands.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { Change } from "./Change.tsx";
import { whyNoChange } from "./can.ts";

/** What a person can do about a session from its page: go to its case, or change its final decision. */
export function CaseActs({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [changing, setChanging] = useState(false);
  const navigate = useNavigate();
  const open = file.case && file.case.state !== "closed" ? file.case : null;
  const decides = me.may.includes("cases.decide");
  const openWord = t(decides ? "case.open" : "case.see");
  const acts = {
    open: () => open && void navigate({ to: "/console/cases/$id", params: { id: open.id } }),
    change: () => setChanging(true),
  };
  const changes = !open && !whyNoChange(me, file);
  usePageCommands([
    ...(open ? [{ name: openWord, run: acts.open }] : []),
    ...(changes ? [{ name: t("case.change"), run: acts.change }] : []),
  ]);
  if (open) {
    return (
      <Button
        variant={decides ? "filled" : "default"}
        renderRoot={(props) => <Link to="/console/cases/$id" params={{ id: open.id }} {...props} />}
      >
        {openWord}
      </Button>
    );
  }
  if (!changes) return null;
  return (
    <>
      <Button variant="default" onClick={acts.change}>
        {t("case.change")}
      </Button>
      {changing && <Change file={file} onClose={() => setChanging(false)} />}
    </>
  );
}
