// An issuer and a wallet that are put together from other makers' packages.
//
//   node wallet.mjs make DIR             writes certificates, keys, credentials and a status list
//   node wallet.mjs answer DIR REQUEST   reads a request ("bonafide wallet request") and prints what the wallet sends
import { Openid4vpClient } from "@openid4vc/openid4vp";
import { CoseKey, DateOnly, DeviceKey, DeviceRequest, DeviceResponse, DocRequest, Issuer, IssuerSigned, ItemsRequest, SessionTranscript } from "@owf/mdoc";
import * as x509 from "@peculiar/x509";
import { digest, ES256, generateSalt } from "@sd-jwt/crypto-nodejs";
import { createHeaderAndPayload, StatusList } from "@sd-jwt/jwt-status-list";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import * as jose from "jose";
import { createHash, randomBytes, webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

x509.cryptoProvider.set(webcrypto);
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const docType = "org.iso.18013.5.1.mDL";
const space = "org.iso.18013.5.1";
const vct = "urn:eudi:pid:1";
const day = 24 * 3600 * 1000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const before = (days) => new Date(now.getTime() - days * day);

const keys = () => webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
const jwk = async (key) => ({ ...(await jose.exportJWK(key)), alg: "ES256" });

async function authority(name) {
  const pair = await keys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01", name: `C=UT, CN=${name}`, notBefore: before(400), notAfter: before(-4000), keys: pair, signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(pair.publicKey),
    ],
  });
  return { pair, certificate };
}

async function issued(by, name, extensions) {
  const pair = await keys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: "02", subject: `C=UT, CN=${name}`, issuer: by.certificate.subject, notBefore: before(30), notAfter: before(-300),
    publicKey: pair.publicKey, signingKey: by.pair.privateKey, signingAlgorithm: algorithm,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      await x509.AuthorityKeyIdentifierExtension.create(by.certificate),
      ...extensions,
    ],
  });
  return { pair, certificate };
}

const der = (certificate) => Buffer.from(certificate.rawData);
const host = (name) => new x509.SubjectAlternativeNameExtension([{ type: "dns", value: name }]);

const mdocContext = {
  crypto: {
    random: (n) => new Uint8Array(randomBytes(n)),
    digest: ({ digestAlgorithm, bytes }) => new Uint8Array(createHash(digestAlgorithm.replace("-", "").toLowerCase()).update(bytes).digest()),
  },
  cose: {
    sign1: {
      sign: async ({ toBeSigned, key }) => {
        const imported = await webcrypto.subtle.importKey("jwk", { ...key.jwk, key_ops: undefined }, algorithm, false, ["sign"]);
        return new Uint8Array(await webcrypto.subtle.sign(algorithm, imported, toBeSigned));
      },
    },
    mac0: {},
  },
};

// make issues a licence and a person's credential to one holder.
async function make(dir) {
  const iaca = await authority("Peer IACA");
  const pid = await authority("Peer PID CA");
  const readers = await authority("Peer reader CA");
  const licenceSigner = await issued(iaca, "Peer document signer", [new x509.ExtendedKeyUsageExtension(["1.0.18013.5.1.2"], true)]);
  const personSigner = await issued(pid, "Peer PID signer", [host("pid.example")]);
  const verifier = await issued(readers, "Verifier", [host("verifier.example")]);
  const holder = await keys();
  const publicJWK = await jwk(holder.publicKey);

  const licence = await new Issuer(docType, mdocContext)
    .addIssuerNamespace(space, {
      family_name: "Mustermann", given_name: "Erika", birth_date: new DateOnly("1984-08-12"), issuing_country: "UT", age_over_18: true,
      portrait: new Uint8Array(randomBytes(2000)),
    })
    .sign({
      signingKey: CoseKey.fromJwk(await jwk(licenceSigner.pair.privateKey)), algorithm: -7, digestAlgorithm: "SHA-256",
      validityInfo: { signed: before(1), validFrom: before(1), validUntil: before(-14) },
      deviceKeyInfo: { deviceKey: DeviceKey.fromJwk(publicJWK) }, certificates: [new Uint8Array(der(licenceSigner.certificate))],
    });

  const seconds = (date) => Math.floor(date.getTime() / 1000);
  const signer = await ES256.getSigner(await jwk(personSigner.pair.privateKey));
  const sdjwt = new SDJwtVcInstance({ signer, signAlg: "ES256", hasher: digest, hashAlg: "sha-256", saltGenerator: generateSalt });
  const person = await sdjwt.issue(
    {
      iss: "https://pid.example", iat: seconds(before(1)), exp: seconds(before(-30)), vct, cnf: { jwk: publicJWK },
      status: { status_list: { uri: "https://pid.example/status", idx: 7 } },
      family_name: "Mustermann", given_name: "Erika", birthdate: "1984-08-12", nationalities: ["UT", "XX"],
      address: { locality: "Utopolis", country: "UT" },
    },
    { _sd: ["family_name", "given_name", "birthdate", "address"], address: { _sd: ["locality"] }, nationalities: { _sd: [0] } },
    { header: { x5c: [der(personSigner.certificate).toString("base64")] } },
  );
  for (const [name, status] of [["status", 0], ["revoked", 1]]) {
    const list = new StatusList(new Array(100).fill(0), 2);
    list.setStatus(7, status);
    const { header, payload } = createHeaderAndPayload(list, { sub: "https://pid.example/status", iat: seconds(before(1)), exp: seconds(before(-1)) }, { alg: "ES256" });
    const token = await new jose.SignJWT(payload)
      .setProtectedHeader({ ...header, x5c: [der(personSigner.certificate).toString("base64")] })
      .sign(personSigner.pair.privateKey);
    writeFileSync(join(dir, `${name}.jwt`), token);
  }
  writeFileSync(join(dir, "iaca.pem"), iaca.certificate.toString("pem"));
  writeFileSync(join(dir, "pid.pem"), pid.certificate.toString("pem"));
  writeFileSync(join(dir, "verifier.pem"), verifier.certificate.toString("pem") + "\n" + readers.certificate.toString("pem"));
  writeFileSync(join(dir, "verifier.key"), await jose.exportPKCS8(verifier.pair.privateKey));
  writeFileSync(join(dir, "wallet.json"), JSON.stringify({ holder: await jwk(holder.privateKey), licence: licence.encodedForOid4Vci, person }));
}

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

// present returns vp_token for the query of a request.
async function present(kept, request, origin) {
  const key = request.client_metadata.jwks?.keys[0];
  const jwkThumbprint = key && new Uint8Array(Buffer.from(await jose.calculateJwkThumbprint(key), "base64url"));
  const transcript = origin
    ? await SessionTranscript.forOid4VpDcApi({ origin, nonce: request.nonce, jwkThumbprint }, mdocContext)
    : await SessionTranscript.forOid4Vp({ clientId: request.client_id, nonce: request.nonce, responseUri: request.response_uri, jwkThumbprint }, mdocContext);
  const token = {};
  for (const query of request.dcql_query.credentials) {
    token[query.id] = [query.format === "mso_mdoc" ? await licence(kept, query, transcript) : await person(kept, request, origin)];
  }
  return token;
}

async function licence(kept, query, transcript) {
  const namespaces = {};
  for (const { path } of query.claims) (namespaces[path[0]] ??= {})[path[1]] = false;
  const response = await DeviceResponse.createWithDeviceRequest(
    {
      deviceRequest: DeviceRequest.create({ docRequests: [DocRequest.create({ itemsRequest: ItemsRequest.create({ docType, namespaces }) })] }),
      sessionTranscript: transcript, issuerSigned: [IssuerSigned.fromEncodedForOid4Vci(kept.licence)],
      signature: { signingKey: CoseKey.fromJwk(kept.holder) },
    },
    mdocContext,
  );
  return response.encodedForOid4Vp;
}

async function person(kept, request, origin) {
  const kbSigner = await ES256.getSigner(kept.holder);
  const sdjwt = new SDJwtVcInstance({ hasher: digest, hashAlg: "sha-256", saltGenerator: generateSalt, kbSigner, kbSignAlg: "ES256" });
  const frame = { family_name: true, birthdate: true, address: { locality: true }, nationalities: { 0: true } };
  return sdjwt.present(kept.person, frame, {
    kb: { payload: { iat: Math.floor(Date.now() / 1000), nonce: request.nonce, aud: origin ? `origin:${origin}` : request.client_id } },
  });
}

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
  const resolved = await client.resolveOpenId4vpAuthorizationRequest({ authorizationRequestPayload, origin });
  const request = resolved.authorizationRequestPayload;
  const encrypted = request.response_mode.endsWith(".jwt");
  const { authorizationResponsePayload, jarm } = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request, origin, authorizationResponsePayload: { vp_token: await present(kept, request, origin) },
    jarm: encrypted
      ? {
          encryption: { nonce: Buffer.from(randomBytes(12)).toString("base64url") },
          serverMetadata: { authorization_encryption_alg_values_supported: ["ECDH-ES"], authorization_encryption_enc_values_supported: ["A128GCM", "A256GCM"] },
        }
      : undefined,
  });
  if (browser) {
    const data = encrypted ? { response: jarm.responseJwt } : authorizationResponsePayload;
    console.log(JSON.stringify({ protocol: browser.protocol, data }));
    return;
  }
  await client.submitOpenid4vpAuthorizationResponse({ authorizationRequestPayload: request, authorizationResponsePayload, jarm });
  console.log(sent);
}

const [act, ...rest] = process.argv.slice(2);
await { make, answer }[act](...rest);
