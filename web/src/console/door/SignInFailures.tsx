import { Button } from "@mantine/core";
import { useState } from "react";
import type { Me } from "../../api/wire.ts";
import { absolute, t } from "../words.ts";
import css from "./Door.module.css";

/** Says what failed between this sign-in and the one before, above the page and without covering it. */
export function SignInFailures({ me }: { me: Me }) {
  const [closed, setClosed] = useState(false);
  if (!me.failures || closed) return null;
  const { passwords, codes, since } = me.failures;
  return (
    <section className={css.offer} aria-labelledby="failures">
      <div>
        <h2 id="failures">{t("failures.title")}</h2>
        <p>{t("failures.text", { passwords: String(passwords), codes: String(codes), when: absolute(since) })}</p>
        <p>{t("failures.advice")}</p>
      </div>
      <div className={css.acts}>
        <Button variant="default" onClick={() => setClosed(true)}>
          {t("failures.close")}
        </Button>
      </div>
    </section>
  );
}
