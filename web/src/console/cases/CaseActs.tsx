import { Button } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { SessionFile } from "../../api/wire.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { Change } from "./Change.tsx";
import { whyNoChange } from "./can.ts";

/** What a person can do about a session from its page: go to its case, or change its final decision. */
export function CaseActs({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [changing, setChanging] = useState(false);
  const open = file.case && file.case.state !== "closed" ? file.case : null;
  if (open) {
    return (
      <Button renderRoot={(props) => <Link to="/console/cases/$id" params={{ id: open.id }} {...props} />}>
        {t("case.open")}
      </Button>
    );
  }
  if (whyNoChange(me, file)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setChanging(true)}>
        {t("case.change")}
      </Button>
      {changing && <Change file={file} onClose={() => setChanging(false)} />}
    </>
  );
}
