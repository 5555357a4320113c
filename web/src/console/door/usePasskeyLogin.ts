import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Me } from "../../api/wire.ts";
import { show } from "./webauthn.ts";

/** Requests end after five minutes; the one that waits in the field is made anew before. */
const renewEvery = 4 * 60_000;

const begin = () => unwrap(api.POST("/v1/console/login/passkey/begin", { body: {} }));

/**
 * Signing in with a passkey: by a button, and where the browser has it, from the list that the e-mail field opens. Only one
 * request can be before the person at a time, so pressing the button ends the one that waits in the field.
 */
export function usePasskeyLogin(can: boolean, come: (me: Me) => void) {
  const login = useMutation({
    mutationFn: async () => unwrap(api.POST("/v1/console/login/passkey", { body: await show(await begin()) })),
    onSuccess: come,
  });
  const pressed = useEffectEvent(() => login.isPending);
  const arrive = useEffectEvent(come);
  useEffect(() => {
    if (!can) return;
    let here = true;
    const wait = async () => {
      if (pressed() || !(await browserSupportsWebAuthnAutofill())) return;
      const asked = await begin();
      if (!here || pressed()) return;
      const shown = await show(asked, "in the field");
      arrive(await unwrap(api.POST("/v1/console/login/passkey", { body: shown })));
    };
    // Nobody asked for it by pressing anything, so where it fails the button and the password remain.
    const quietly = () => void wait().catch(() => undefined);
    quietly();
    const again = setInterval(quietly, renewEvery);
    return () => {
      here = false;
      clearInterval(again);
      WebAuthnAbortService.cancelCeremony();
    };
  }, [can]);
  return login;
}
