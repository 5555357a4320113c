import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type { PasskeyCreation, PasskeyMade, PasskeyRequest, PasskeyShown } from "../../api/wire.ts";

/** Why passkeys cannot be used on this page; null where they can. */
export type Hindrance = "browser" | "insecure" | "elsewhere";

/** Passkeys belong to one origin, that of --public-url, and to pages that nobody on the way can have changed. */
export function hindrance(origin: string): Hindrance | null {
  if (location.origin !== origin) return "elsewhere";
  if (!window.isSecureContext) return "insecure";
  if (!("PublicKeyCredential" in window)) return "browser";
  return null;
}

const named = (ids: readonly string[]) => ids.map((id) => ({ type: "public-key" as const, id }));

/**
 * Has a passkey sign what the server asked for. The browser asks at once, or offers its passkeys in the e-mail field.
 * Ends the request that waits before the person, if one does.
 */
export async function show(
  asked: PasskeyRequest,
  where: "at once" | "in the field" = "at once",
): Promise<PasskeyShown> {
  const { rawId, response } = await startAuthentication({
    optionsJSON: {
      challenge: asked.challenge,
      rpId: asked.rp_id,
      allowCredentials: named(asked.allow),
      userVerification: "required",
      timeout: asked.timeout_ms,
    },
    useBrowserAutofill: where === "in the field",
  });
  return {
    credential: rawId,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle ? { user_handle: response.userHandle } : {}),
  };
}

/** Has the browser make a passkey. */
export async function make(asked: PasskeyCreation, name: string): Promise<PasskeyMade> {
  const { rawId, response } = await startRegistration({
    optionsJSON: {
      challenge: asked.challenge,
      rp: { id: asked.rp_id, name: asked.rp_name },
      user: { id: asked.user_handle, name: asked.user_name, displayName: asked.user_label },
      pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: named(asked.exclude),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      timeout: asked.timeout_ms,
    },
  });
  return {
    name,
    credential: rawId,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports ?? [],
  };
}

/** Whether the person closed the browser's own dialog, or let it pass: nothing went wrong. */
export const declined = (error: unknown): boolean =>
  error instanceof WebAuthnError && (error.name === "NotAllowedError" || error.name === "AbortError");

/** Whether this device holds a passkey of the member already. */
export const already = (error: unknown): boolean =>
  error instanceof WebAuthnError && error.name === "InvalidStateError";
