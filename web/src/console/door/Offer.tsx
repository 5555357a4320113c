import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import type { Me } from "../../api/wire.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { NewPasskey } from "./Passkeys.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { hindrance } from "./webauthn.ts";

let offered = false;
const watchers = new Set<() => void>();

/** Says that an account was just made, or that the offer was answered. */
export function offerPasskey(now = true): void {
  offered = now;
  for (const watcher of watchers) watcher();
}

const useOffered = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => offered,
  );

/** Offers a passkey to a member who has just made their account, above the page and without covering it. */
export function Offer({ me }: { me: Me }) {
  return useOffered() ? <Open me={me} /> : null;
}

function Open({ me }: { me: Me }) {
  const { data: here } = useQuery(queries.setup);
  const [naming, setNaming] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (!here?.passkeys || hindrance(here.origin)) return null;
  if (me.passkeys.length > 0 && codes.length === 0) return null;
  return (
    <section className={css.offer} aria-labelledby="offer">
      <div>
        <h2 id="offer">{t("passkey.offer")}</h2>
        {codes.length === 0 && <p>{t("passkey.text")}</p>}
      </div>
      {codes.length > 0 ? (
        <RecoveryCodes codes={codes} onDone={() => offerPasskey(false)} />
      ) : naming ? (
        <NewPasskey onDone={setCodes} onCancel={() => setNaming(false)} />
      ) : (
        <div className={css.acts}>
          <Button variant="default" onClick={() => offerPasskey(false)}>
            {t("passkey.later")}
          </Button>
          <Button onClick={() => setNaming(true)}>{t("passkey.add")}</Button>
        </div>
      )}
    </section>
  );
}
