import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { answered, api } from "../../api/client.ts";
import type { Me } from "../../api/wire.ts";
import { offersInField, show } from "./webauthn.ts";

/** Requests end after five minutes; the one that waits in the field is made anew before. */
const renewEvery = 4 * 60_000;

const begin = () => answered(api.POST("/v1/console/login/passkey/begin", { body: {} }));

/**
 * Signing in with a passkey: by a button, and where the browser has it, from the list that the e-mail field opens. Only one
 * request can be before the person at a time, so pressing the button ends the one that waits.
 */
export function usePasskeyLogin(can: boolean, come: (me: Me) => void) {
  const waiting = useRef<AbortController | null>(null);
  const login = useMutation({
    mutationFn: async () => {
      waiting.current?.abort();
      return answered(api.POST("/v1/console/login/passkey", { body: await show(await begin()) }));
    },
    onSuccess: come,
  });
  const arrive = useEffectEvent(come);
  useEffect(() => {
    if (!can) return;
    const wait = async () => {
      waiting.current?.abort();
      const mine = new AbortController();
      waiting.current = mine;
      if (!(await offersInField())) return;
      const shown = await show(await begin(), { conditional: true, signal: mine.signal });
      arrive(await answered(api.POST("/v1/console/login/passkey", { body: shown })));
    };
    // Nobody asked for it by pressing anything, so where it fails the button and the password remain.
    const quietly = () => void wait().catch(() => undefined);
    quietly();
    const again = setInterval(quietly, renewEvery);
    return () => {
      clearInterval(again);
      waiting.current?.abort();
    };
  }, [can]);
  return login;
}
