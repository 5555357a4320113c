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

/** Whether the browser offers passkeys where one types the e-mail. */
export async function offersInField(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isConditionalMediationAvailable();
  } catch {
    return false;
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

function textOf(buffer: ArrayBuffer): string {
  let raw = "";
  for (const byte of new Uint8Array(buffer)) raw += String.fromCharCode(byte);
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const named = (ids: readonly string[]): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: "public-key", id: bytesOf(id) }));

/** Has a passkey sign what the server asked for. Without `conditional` the browser asks at once. */
export async function show(
  asked: PasskeyRequest,
  more: { conditional?: boolean; signal?: AbortSignal } = {},
): Promise<PasskeyShown> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(asked.challenge),
      rpId: asked.rp_id,
      allowCredentials: named(asked.allow),
      userVerification: "required",
      timeout: asked.timeout_ms,
    },
    ...(more.conditional ? { mediation: "conditional" as const } : {}),
    ...(more.signal ? { signal: more.signal } : {}),
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error("no passkey");
  return {
    credential: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    ...(response.userHandle ? { user_handle: textOf(response.userHandle) } : {}),
  };
}

/** Has the browser make a passkey. */
export async function make(asked: PasskeyCreation, name: string): Promise<PasskeyMade> {
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(asked.challenge),
      rp: { id: asked.rp_id, name: asked.rp_name },
      user: { id: bytesOf(asked.user_handle), name: asked.user_name, displayName: asked.user_label },
      pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: named(asked.exclude),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      timeout: asked.timeout_ms,
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  const { response } = credential;
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new Error("no passkey");
  return {
    name,
    credential: textOf(credential.rawId),
    client_data: textOf(response.clientDataJSON),
    attestation: textOf(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  };
}

/** Whether the person closed the browser's own dialog, or let it pass: nothing went wrong. */
export const declined = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

/** Whether this device holds a passkey of the member already. */
export const already = (error: unknown): boolean => error instanceof DOMException && error.name === "InvalidStateError";
