import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PasskeyCreation, PasskeyRequest } from "../src/api/wire.ts";
import { usePasskeyLogin } from "../src/console/door/usePasskeyLogin.ts";
import { already, declined, make, show } from "../src/console/door/webauthn.ts";
import { server } from "./server.ts";

const bytes = (...of: number[]) => Uint8Array.from(of).buffer;
const bytesIn = (source: BufferSource | undefined) =>
  source instanceof ArrayBuffer ? [...new Uint8Array(source)] : "not an ArrayBuffer";

const credential = { id: "-_8", type: "public-key", rawId: bytes(251, 255), getClientExtensionResults: () => ({}) };
const signed = {
  ...credential,
  response: { clientDataJSON: bytes(1), authenticatorData: bytes(2, 3), signature: bytes(4, 5, 6), userHandle: null },
};
const made = {
  ...credential,
  response: { clientDataJSON: bytes(1), attestationObject: bytes(2, 3), getTransports: () => ["internal", "hybrid"] },
};

const get = vi.fn<CredentialsContainer["get"]>();
const create = vi.fn<CredentialsContainer["create"]>();
Object.defineProperty(navigator, "credentials", { value: { get, create } });

/** Whether the browser lists passkeys in the field. */
const offering = (isConditionalMediationAvailable: () => Promise<boolean>) =>
  vi.stubGlobal(
    "PublicKeyCredential",
    Object.assign(() => undefined, { isConditionalMediationAvailable }),
  );

beforeEach(() => {
  get.mockReset();
  create.mockReset();
  offering(async () => true);
});

const request: PasskeyRequest = { challenge: "-_8", rp_id: "id.example", allow: [], timeout_ms: 300_000 };
const creation: PasskeyCreation = {
  challenge: "-_8",
  rp_id: "id.example",
  rp_name: "Harbour Bank",
  user_handle: "AQI",
  user_name: "ada@example.org",
  user_label: "Ada",
  algorithms: [-8, -7],
  exclude: ["_w"],
  timeout_ms: 300_000,
};

describe("what the browser is asked, and what the server is told", () => {
  it("when a passkey signs", async () => {
    get.mockResolvedValue(signed);
    expect(await show({ ...request, allow: ["AQID", "_w"] })).toEqual({
      credential: "-_8",
      client_data: "AQ",
      authenticator_data: "AgM",
      signature: "BAUG",
    });
    const { publicKey, mediation } = get.mock.lastCall?.[0] ?? {};
    expect(bytesIn(publicKey?.challenge)).toEqual([251, 255]);
    expect(publicKey?.allowCredentials?.map(({ type, id }) => [type, bytesIn(id)])).toEqual([
      ["public-key", [1, 2, 3]],
      ["public-key", [255]],
    ]);
    expect(publicKey).toMatchObject({ rpId: "id.example", userVerification: "required", timeout: 300_000 });
    expect(mediation).toBeUndefined();
  });

  it("when the passkey knows its person", async () => {
    const knowing = { ...signed, response: { ...signed.response, userHandle: bytes(1, 2) } };
    get.mockResolvedValue(knowing);
    expect((await show(request)).user_handle).toBe("AQI");
    expect(get.mock.lastCall?.[0]?.publicKey?.allowCredentials ?? []).toEqual([]);
  });

  it("when the browser makes a passkey", async () => {
    create.mockResolvedValue(made);
    expect(await make(creation, "Work laptop")).toEqual({
      name: "Work laptop",
      credential: "-_8",
      client_data: "AQ",
      attestation: "AgM",
      transports: ["internal", "hybrid"],
    });
    const { publicKey } = create.mock.lastCall?.[0] ?? {};
    expect(bytesIn(publicKey?.challenge)).toEqual([251, 255]);
    expect(bytesIn(publicKey?.user.id)).toEqual([1, 2]);
    expect(publicKey?.excludeCredentials?.map(({ type, id }) => [type, bytesIn(id)])).toEqual([["public-key", [255]]]);
    expect(publicKey).toMatchObject({
      rp: { id: "id.example", name: "Harbour Bank" },
      user: { name: "ada@example.org", displayName: "Ada" },
      pubKeyCredParams: [
        { type: "public-key", alg: -8 },
        { type: "public-key", alg: -7 },
      ],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      timeout: 300_000,
    });
  });

  it("when the browser does not say how the passkey is reached", async () => {
    const silent = { ...made, response: { ...made.response, getTransports: undefined } };
    create.mockResolvedValue(silent);
    expect((await make(creation, "Old one")).transports).toEqual([]);
  });
});

describe("what a failure means", () => {
  const failing = (name: string) => {
    const error = new DOMException("no", name);
    get.mockRejectedValue(error);
    create.mockRejectedValue(error);
    return Promise.all([show(request).catch((e: unknown) => e), make(creation, "").catch((e: unknown) => e)]);
  };

  it.each([
    ["NotAllowedError", true, false],
    ["AbortError", true, false],
    ["InvalidStateError", false, true],
    ["SecurityError", false, false],
    ["NotSupportedError", false, false],
  ])("%s", async (name, isDeclined, isThere) => {
    const [shown, made] = await failing(name);
    expect([shown, made]).toMatchObject([{ name }, { name }]);
    expect([declined(shown), declined(made), already(made)]).toEqual([isDeclined, isDeclined, isThere]);
  });

  it("is not the person's no where the network failed", () => {
    expect(declined(new TypeError("no network"))).toBe(false);
    expect(declined(new DOMException("stopped", "AbortError"))).toBe(false);
  });
});

const Page = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>
    <input autoComplete="username webauthn" />
    {children}
  </QueryClientProvider>
);

describe("signing in", () => {
  /** The browser's answers, in the hands of the test: each request waits until it is answered or stopped. */
  const asked: { mediation: unknown; stopped: () => boolean; sign: () => void }[] = [];
  const come = vi.fn();
  let begun = 0;

  beforeEach(() => {
    asked.length = 0;
    begun = 0;
    come.mockReset();
    get.mockImplementation((options) => {
      const { signal, mediation } = options ?? {};
      return new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asked.push({ mediation, stopped: () => signal?.aborted ?? false, sign: () => resolve(signed) });
      });
    });
    server.use(
      http.post("*/v1/console/login/passkey/begin", () => {
        begun++;
        return HttpResponse.json(request);
      }),
      http.post("*/v1/console/login/passkey", () => HttpResponse.json({ name: "Ada" })),
    );
  });

  const open = (can = true) => renderHook(() => usePasskeyLogin(can, come), { wrapper: Page });
  const offered = async () => {
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    return asked[0];
  };

  it("waits in the field, and comes in with the passkey that is chosen there", async () => {
    open();
    const inField = await offered();
    expect(inField?.mediation).toBe("conditional");
    inField?.sign();
    await vi.waitFor(() => expect(come).toHaveBeenCalledExactlyOnceWith({ name: "Ada" }));
  });

  it("ends the one in the field when the button is pressed, and calls that no failure", async () => {
    const { result } = open();
    const inField = await offered();
    result.current.mutate();
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect([inField?.stopped(), asked[1]?.mediation, asked[1]?.stopped()]).toEqual([true, undefined, false]);
    asked[1]?.sign();
    await vi.waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect(come).toHaveBeenCalledOnce();
  });

  it("stops when the page is left", async () => {
    const { unmount } = open();
    const inField = await offered();
    unmount();
    expect(inField?.stopped()).toBe(true);
    expect(come).not.toHaveBeenCalled();
  });

  it("asks nothing where there is no list in the field, or no passkey may be used", async () => {
    const supported = vi.fn(async () => false);
    offering(supported);
    open(false);
    expect(supported).not.toHaveBeenCalled();
    open();
    await vi.waitFor(() => expect(supported).toHaveBeenCalledOnce());
    expect([begun, asked.length]).toEqual([0, 0]);
  });

  it("renews the request in the field before it ends, and leaves one alone that the button began", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { result } = open();
      const inField = await offered();
      vi.advanceTimersByTime(4 * 60_000);
      await vi.waitFor(() => expect(asked).toHaveLength(2));
      expect([inField?.stopped(), asked[1]?.mediation]).toEqual([true, "conditional"]);
      result.current.mutate();
      await vi.waitFor(() => expect(asked).toHaveLength(3));
      vi.advanceTimersByTime(4 * 60_000);
      asked[2]?.sign();
      await vi.waitFor(() => expect(come).toHaveBeenCalledOnce());
      expect([begun, asked.length, asked[2]?.stopped()]).toEqual([3, 3, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});
