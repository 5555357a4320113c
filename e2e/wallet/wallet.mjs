// A wallet that is put together from other makers' packages.
//
//   node wallet.mjs make DIR             writes certificates, keys, credentials and a status list
//   node wallet.mjs answer DIR REQUEST   reads a request ("bonafide wallet request") and prints what the wallet sends
//   node wallet.mjs live                 reads acts from lines of JSON, does them at a running server, and prints what came of each
import { Openid4vpClient } from "@openid4vc/openid4vp";
import { CoseKey, DeviceRequest, DeviceResponse, DocRequest, IssuerSigned, ItemsRequest, SessionTranscript } from "@owf/mdoc";
import * as x509 from "@peculiar/x509";
import { digest, ES256, generateSalt } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import * as jose from "jose";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { jwk, make, makeAll, mdocContext, newKeys, types } from "./issuer.mjs";

const hash = (bytes, alg) => new Uint8Array(createHash(alg.replace("-", "")).update(bytes).digest());

const callbacks = {
  hash,
  getX509CertificateMetadata: (text) => {
    const names = new x509.X509Certificate(text).getExtension(x509.SubjectAlternativeNameExtension)?.names.toJSON() ?? [];
    return { sanDnsNames: names.filter((n) => n.type === "dns").map((n) => n.value), sanUriNames: names.filter((n) => n.type === "url").map((n) => n.value) };
  },
  verifyJwt: async (signer, { compact }) => {
    const key = await new x509.X509Certificate(signer.x5c[0]).publicKey.export();
    try {
      await jose.jwtVerify(compact, key, { audience: undefined });
      return { verified: true, signerJwk: await jose.exportJWK(key) };
    } catch {
      return { verified: false };
    }
  },
  encryptJwe: async (to, data) => {
    const key = await jose.importJWK(to.publicJwk, "ECDH-ES");
    const bytes = (s) => (s ? new Uint8Array(Buffer.from(s, "base64url")) : undefined);
    const jwe = await new jose.CompactEncrypt(new TextEncoder().encode(data))
      .setProtectedHeader({ alg: to.alg, enc: to.enc, kid: to.publicJwk.kid })
      .setKeyManagementParameters({ apu: bytes(to.apu), apv: bytes(to.apv) })
      .encrypt(key);
    return { encryptionJwk: to.publicJwk, jwe };
  },
};

/** What the device signs. */
async function transcriptOf(request, origin) {
  const key = request.client_metadata.jwks?.keys[0];
  const jwkThumbprint = key && new Uint8Array(Buffer.from(await jose.calculateJwkThumbprint(key), "base64url"));
  return origin
    ? SessionTranscript.forOid4VpDcApi({ origin, nonce: request.nonce, jwkThumbprint }, mdocContext)
    : SessionTranscript.forOid4Vp({ clientId: request.client_id, nonce: request.nonce, responseUri: request.response_uri, jwkThumbprint }, mdocContext);
}

async function presentDocument(text, type, paths, holder, transcript) {
  const namespaces = {};
  for (const path of paths) (namespaces[path[0]] ??= {})[path[1]] = false;
  const response = await DeviceResponse.createWithDeviceRequest(
    {
      deviceRequest: DeviceRequest.create({ docRequests: [DocRequest.create({ itemsRequest: ItemsRequest.create({ docType: type, namespaces }) })] }),
      sessionTranscript: transcript, issuerSigned: [IssuerSigned.fromEncodedForOid4Vci(text)], signature: { signingKey: CoseKey.fromJwk(holder) },
    },
    mdocContext,
  );
  return response.encodedForOid4Vp;
}

/** The frame of @sd-jwt that discloses those paths. */
function frameOf(paths) {
  const frame = {};
  for (const path of paths) {
    let at = frame;
    path.forEach((step, i) => {
      const name = step === null ? 0 : step;
      if (i === path.length - 1) at[name] ??= true;
      else at = at[name] = typeof at[name] === "object" ? at[name] : {};
    });
  }
  return frame;
}

async function presentPerson(text, paths, holder, { nonce, audience, iat = Math.floor(Date.now() / 1000) }) {
  const kbSigner = await ES256.getSigner(holder);
  const sdjwt = new SDJwtVcInstance({ hasher: digest, hashAlg: "sha-256", saltGenerator: generateSalt, kbSigner, kbSignAlg: "ES256" });
  return sdjwt.present(text, frameOf(paths), { kb: { payload: { iat, nonce, aud: audience } } });
}

const audienceOf = (request, origin) => (origin ? `origin:${origin}` : request.client_id);

/** vp_token for the query of a request that asks for both credentials. */
async function present(kept, request, origin) {
  const transcript = await transcriptOf(request, origin);
  const token = {};
  for (const query of request.dcql_query.credentials) {
    const paths = query.claims.map(({ path }) => path);
    token[query.id] = [
      query.format === "mso_mdoc"
        ? await presentDocument(kept.licence, types.licence, paths, kept.holder, transcript)
        : await presentPerson(kept.person, paths, kept.holder, { nonce: request.nonce, audience: audienceOf(request, origin) }),
    ];
  }
  return token;
}

const serverMetadata = { authorization_encryption_alg_values_supported: ["ECDH-ES"], authorization_encryption_enc_values_supported: ["A128GCM", "A256GCM"] };

/** The response to a request, encrypted where that is asked for. */
const respond = (client, request, origin, payload) =>
  client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request, origin, authorizationResponsePayload: payload,
    jarm: request.response_mode.endsWith(".jwt") ? { encryption: { nonce: Buffer.from(randomBytes(12)).toString("base64url") }, serverMetadata } : undefined,
  });

// answer reads a request as a wallet does, and prints the body that it would post or hand to the browser.
async function answer(dir, file) {
  const kept = JSON.parse(readFileSync(join(dir, "wallet.json"), "utf8"));
  const text = readFileSync(file, "utf8").trim();
  let sent;
  const fetch = async (_url, init) => {
    sent = String(init.body);
    return new Response("{}", { headers: { "content-type": "application/json" } });
  };
  const client = new Openid4vpClient({ callbacks: { ...callbacks, fetch } });
  const browser = text.startsWith("{") ? JSON.parse(text) : undefined;
  const origin = browser && "https://verifier.example";
  const authorizationRequestPayload = browser ? browser.data : { client_id: jose.decodeJwt(text).client_id, request: text };
  const { authorizationRequestPayload: request } = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload, origin });
  const { authorizationResponsePayload, jarm } = await respond(client, request, origin, { vp_token: await present(kept, request, origin) });
  if (browser) {
    console.log(JSON.stringify({ protocol: browser.protocol, data: jarm ? { response: jarm.responseJwt } : authorizationResponsePayload }));
    return;
  }
  await client.submitOpenid4vpAuthorizationResponse({ authorizationRequestPayload: request, authorizationResponsePayload, jarm });
  console.log(sent);
}

/** Whether a path leads to a claim. */
const leads = (claims, [step, ...rest]) =>
  step === undefined || (step === null ? Array.isArray(claims) && claims.some((c) => leads(c, rest)) : claims != null && step in Object(claims) && leads(claims[step], rest));

/** The claims of a query that a credential answers: all of them, or the first set that it has in full (OpenID4VP 1.0 section 6.4.1). */
function chosen(query, claims) {
  const byID = Object.fromEntries(query.claims.map((c) => [c.id, c.path]));
  const sets = query.claim_sets?.map((set) => set.map((id) => byID[id])) ?? [query.claims.map(({ path }) => path)];
  return sets.find((set) => set.every((path) => leads(claims, path)));
}

const typesOf = ({ meta }) => meta.vct_values ?? [meta.doctype_value];

/** vp_token with one credential. What is wrong with it on purpose is its fault; none in a sound one. */
async function presentOne({ holder, held }, name, request, origin, fault) {
  const credential = held[name];
  const query = request.dcql_query.credentials.find((q) => q.format === credential.format && typesOf(q).includes(credential.type));
  let paths = query && chosen(query, credential.claims);
  if (!paths) throw new Error(`${name} does not answer the request`);
  if (fault === "withheld") paths = paths.slice(1);
  const key = fault === "other_holder" ? await jwk((await newKeys()).privateKey) : holder;
  const asked = { ...request, ...(fault === "other_nonce" ? { nonce: "n-0S6_WzA2Mj-of-another-request" } : {}), ...(fault === "other_verifier" ? { client_id: "x509_san_dns:other.example" } : {}) };
  if (fault === "as_redirect") asked.response_uri = `${origin}/response`;
  const from = fault === "other_origin" ? "https://other.example" : fault === "as_redirect" ? undefined : origin;
  if (credential.format === "mso_mdoc")
    return { [query.id]: [await presentDocument(credential.text, credential.type, paths, key, await transcriptOf(asked, from))] };
  const iat = Math.floor(Date.now() / 1000) - (fault === "old_binding" ? 365 * 24 * 3600 : 0);
  let text = await presentPerson(credential.text, paths, key, { nonce: asked.nonce, audience: audienceOf(asked, from), iat });
  const parts = text.split("~");
  if (fault === "no_binding") text = `${parts.slice(0, -1).join("~")}~`;
  if (fault === "disclosure_removed") text = [parts[0], ...parts.slice(2)].join("~");
  return { [query.id]: [text] };
}

/** Changes an answer before it is encrypted, or what it is encrypted for. */
const twisted = {
  not_asked: (request, token) => [request, { ...token, another: Object.values(token)[0] }],
  two_elements: (request, token) => [request, Object.fromEntries(Object.entries(token).map(([id, list]) => [id, [...list, ...list]]))],
  nothing: (request) => [request, {}],
  other_state: (request, token) => [{ ...request, state: "x".repeat(43) }, token],
  other_key: (request, token) => {
    const copy = structuredClone(request);
    copy.client_metadata.jwks.keys[0].kid = "another";
    return [copy, token];
  },
};

/** Resolves the request of a link as the person's wallet does: fetched by GET, by POST, or by POST with a nonce that has to come back. */
async function resolve(client, link, how) {
  const params = Object.fromEntries(new URL(link).searchParams);
  if (how === "get") delete params.request_uri_method;
  if (how !== "nonce") return client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: params });
  const nonce = Buffer.from(randomBytes(16)).toString("base64url");
  const r = await fetch(params.request_uri, { method: "POST", body: new URLSearchParams({ wallet_nonce: nonce }) });
  const request = await r.text();
  if (!r.ok) throw new Error(`the request is answered ${r.status} ${request}`);
  const payload = { client_id: params.client_id, request };
  return client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: payload, wallet: { expectedNonce: nonce, nonce } });
}

const acts = {
  make: async (_wallet, { dir, host, lists, portrait }) => makeAll(dir, host, lists, portrait),

  // redirect answers the request of a link, and says what the server answered the wallet.
  redirect: async (wallet, { link, how, holds, fault }) => {
    let last;
    const remembering = async (...args) => {
      const r = await fetch(...args);
      last = { status: r.status, body: await r.clone().text() };
      return r;
    };
    const enc = fault === "other_cipher" && "A128CBC-HS256";
    const encryptJwe = (to, data) => callbacks.encryptJwe(enc ? { ...to, enc } : to, data);
    const client = new Openid4vpClient({ callbacks: { ...callbacks, encryptJwe, fetch: remembering } });
    const { authorizationRequestPayload: request } = await resolve(client, link, how);
    const says = { client_id: request.client_id, response_uri: request.response_uri, response_mode: request.response_mode };
    if (fault === "fetch_only") return says;
    if (fault === "declined" || fault === "wallet_error") {
      const error = fault === "declined" ? "access_denied" : "invalid_request";
      const r = await remembering(request.response_uri, { method: "POST", body: new URLSearchParams({ error, state: request.state }) });
      return { ...says, ...last, ok: r.ok };
    }
    const sound = await presentOne(wallet, holds, request, undefined, fault);
    if (fault === "in_the_clear") {
      await remembering(request.response_uri, { method: "POST", body: new URLSearchParams({ vp_token: JSON.stringify(sound), state: request.state }) });
      return { ...says, ...last };
    }
    const [to, token] = twisted[fault]?.(request, sound) ?? [request, sound];
    const { authorizationResponsePayload, jarm } = await respond(client, to, undefined, { vp_token: token });
    const submit = () => client.submitOpenid4vpAuthorizationResponse({ authorizationRequestPayload: to, authorizationResponsePayload, jarm });
    if (fault === "posted_twice") await submit();
    await submit().catch((error) => {
      if (!last) throw error; // a refusal is what some faults are for
    });
    return { ...says, ...last };
  },

  // changed says how the wallet takes a request whose address was changed on its way.
  changed: async (_wallet, { link }) => {
    const params = Object.fromEntries(new URL(link).searchParams);
    const [header, , signature] = (await (await fetch(params.request_uri)).text()).split(".");
    const payload = { ...jose.decodeJwt(await (await fetch(params.request_uri)).text()), response_uri: "https://localhost/elsewhere" };
    const request = [header, Buffer.from(JSON.stringify(payload)).toString("base64url"), signature].join(".");
    const client = new Openid4vpClient({ callbacks });
    return client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: { client_id: params.client_id, request } }).then(
      () => ({ body: "taken" }),
      (error) => ({ body: String(error) }),
    );
  },

  // browser answers one request of the Digital Credentials API, and says what the browser hands to the page.
  browser: async (wallet, { request: asked, origin, holds, fault }) => {
    const client = new Openid4vpClient({ callbacks });
    const { authorizationRequestPayload: request } = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload: asked.data, origin });
    const token = await presentOne(wallet, holds, request, origin, fault);
    const { authorizationResponsePayload, jarm } = await respond(client, request, origin, { vp_token: token });
    const protocol = fault === "other_protocol" ? "openid4vp-v1-multisigned" : asked.protocol;
    return { protocol, data: jarm ? { response: jarm.responseJwt } : authorizationResponsePayload };
  },
};

// live answers one line of JSON for each line of JSON.
async function live() {
  let wallet;
  for await (const line of createInterface({ input: process.stdin })) {
    const { act, ...input } = JSON.parse(line);
    try {
      const done = await acts[act](wallet, input);
      if (act === "make") wallet = done;
      console.log(JSON.stringify(act === "make" ? {} : done));
    } catch (error) {
      console.log(JSON.stringify({ error: String(error?.stack ?? error) }));
    }
  }
}

const [act, ...rest] = process.argv.slice(2);
await { make, answer, live }[act](...rest);
