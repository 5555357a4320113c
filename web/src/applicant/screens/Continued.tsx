import { useEffect, useState } from "react";
import { isTransient } from "../../api/failure.ts";
import { withHost } from "../host/withHost.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import { EndingScreen } from "./Ending.tsx";

/** Another tab or browser continued the check. This one can take it back, where that needs no proof. */
export function Continued({ onHere }: { onHere: () => Promise<unknown> }) {
  const { t } = useWords();
  const [state, setState] = useState<"idle" | "busy" | "elsewhere">("idle");
  useEffect(() => withHost(({ post }) => post({ type: "problem", code: "session.continued" })), []);
  if (state === "elsewhere") return <EndingScreen ending="elsewhere" />;
  const take = () => {
    setState("busy");
    onHere().catch((error: unknown) => setState(isTransient(error) ? "idle" : "elsewhere"));
  };
  return (
    <Page
      centred
      title={t("problem.session.continued.title")}
      lead={t("problem.session.continued.remedy")}
      actions={
        <Button look="equal" busy={state === "busy"} onClick={take}>
          {t("handoff.here")}
        </Button>
      }
    />
  );
}
