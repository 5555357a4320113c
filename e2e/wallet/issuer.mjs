// An issuer that is put together from other makers' packages: authorities, signers, credentials and status lists.
import { CoseKey, DateOnly, DeviceKey, Issuer } from "@owf/mdoc";
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
const licenceSpace = "org.iso.18013.5.1";
export const types = { pid: "urn:eudi:pid:1", pidDocument: "eu.europa.ec.eudi.pid.1", licence: "org.iso.18013.5.1.mDL", age: "eu.europa.ec.av.1" };
const day = 24 * 3600 * 1000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const before = (days) => new Date(now.getTime() - days * day);
const seconds = (date) => Math.floor(date.getTime() / 1000);

export const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
export const jwk = async (key) => ({ ...(await jose.exportJWK(key)), alg: "ES256" });

async function authority(name) {
  const pair = await newKeys();
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
  const pair = await newKeys();
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

export const mdocContext = {
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

const base64 = (certificate) => der(certificate).toString("base64");

/** Keys and certificates: an authority for documents and one for people, a signer of each, the verifier that signs requests for a host, and a stranger. */
async function parties(verifierHost) {
  const iaca = await authority("Peer IACA");
  const pid = await authority("Peer PID CA");
  const readers = await authority("Peer reader CA");
  const strangers = await authority("Peer CA that nobody trusts");
  const signing = new x509.ExtendedKeyUsageExtension(["1.0.18013.5.1.2"], true);
  return {
    iaca, pid, readers,
    documents: await issued(iaca, "Peer document signer", [signing]),
    persons: await issued(pid, "Peer PID signer", [host("pid.example")]),
    stranger: await issued(strangers, "Peer stranger", [host("pid.example")]),
    documentStranger: await issued(strangers, "Peer stranger", [signing]),
    verifier: await issued(readers, "Verifier", [host(verifierHost)]),
  };
}

/** A mobile document of one name space, valid for some days. */
async function document(by, holder, type, space, elements, days = 14) {
  const since = Math.min(1, days / 2);
  const made = await new Issuer(type, mdocContext).addIssuerNamespace(space, elements).sign({
    signingKey: CoseKey.fromJwk(await jwk(by.pair.privateKey)), algorithm: -7, digestAlgorithm: "SHA-256",
    validityInfo: { signed: before(since), validFrom: before(since), validUntil: before(-days) },
    deviceKeyInfo: { deviceKey: DeviceKey.fromJwk(holder) }, certificates: [new Uint8Array(der(by.certificate))],
  });
  return { format: "mso_mdoc", type, text: made.encodedForOid4Vci, claims: { [space]: elements } };
}

/** Personal identification data as SD-JWT VC, with a place in a status list. */
async function person(by, holder, status, claims, frame, days = 30) {
  const signer = await ES256.getSigner(await jwk(by.pair.privateKey));
  const sdjwt = new SDJwtVcInstance({ signer, signAlg: "ES256", hasher: digest, hashAlg: "sha-256", saltGenerator: generateSalt });
  const payload = { iss: "https://pid.example", iat: seconds(before(Math.max(1, 1 - days))), exp: seconds(before(-days)), vct: types.pid, cnf: { jwk: holder } };
  const text = await sdjwt.issue({ ...payload, ...(status ? { status } : {}), ...claims }, frame, { header: { x5c: [base64(by.certificate)] } });
  return { format: "dc+sd-jwt", type: types.pid, text, claims };
}

const erika = {
  family_name: "Mustermann", given_name: "Erika", birthdate: "1984-08-12", nationalities: ["UT", "XX"], address: { locality: "Utopolis", country: "UT" },
};
const disclosed = { _sd: ["family_name", "given_name", "birthdate", "address"], address: { _sd: ["locality"] }, nationalities: { _sd: [0] } };
const citizen = { ...erika, issuing_country: "UT", date_of_expiry: "2036-01-01" };
const citizenDisclosed = { ...disclosed, _sd: [...disclosed._sd, "nationalities", "issuing_country", "date_of_expiry"] };
const licenceOf = (picture) => ({
  family_name: "Mustermann", given_name: "Erika", birth_date: new DateOnly("1984-08-12"), issue_date: new DateOnly("2026-01-01"),
  expiry_date: new DateOnly("2036-01-01"), issuing_country: "UT", issuing_authority: "Road Office", document_number: "L898902C3", age_over_18: true,
  portrait: new Uint8Array(picture),
});

/** Signs a list in which those indices are revoked. */
async function statusList(by, uri, revoked) {
  const list = new StatusList(new Array(100).fill(0), 2);
  for (const index of revoked) list.setStatus(index, 1);
  const { header, payload } = createHeaderAndPayload(list, { sub: uri, iat: seconds(before(1)), exp: seconds(before(-1)) }, { alg: "ES256" });
  return new jose.SignJWT(payload).setProtectedHeader({ ...header, x5c: [base64(by.certificate)] }).sign(by.pair.privateKey);
}

async function writeParties(dir, by) {
  writeFileSync(join(dir, "iaca.pem"), by.iaca.certificate.toString("pem"));
  writeFileSync(join(dir, "pid.pem"), by.pid.certificate.toString("pem"));
  writeFileSync(join(dir, "verifier.pem"), by.verifier.certificate.toString("pem") + "\n" + by.readers.certificate.toString("pem"));
  writeFileSync(join(dir, "verifier.key"), await jose.exportPKCS8(by.verifier.pair.privateKey));
}

/** Issues a licence and a person's credential to one holder, for requests that are files. */
export async function make(dir) {
  const by = await parties("verifier.example");
  const holder = await newKeys();
  const publicJWK = await jwk(holder.publicKey);
  const uri = "https://pid.example/status";
  const licence = await document(by.documents, publicJWK, types.licence, licenceSpace, licenceOf(randomBytes(2000)));
  const pid = await person(by.persons, publicJWK, { status_list: { uri, idx: 7 } }, erika, disclosed);
  for (const [name, revoked] of [["status", []], ["revoked", [7]]]) writeFileSync(join(dir, `${name}.jwt`), await statusList(by.persons, uri, revoked));
  await writeParties(dir, by);
  writeFileSync(join(dir, "wallet.json"), JSON.stringify({ holder: await jwk(holder.privateKey), licence: licence.text, person: pid.text }));
}

/**
 * Issues credentials of every kind to one holder, for a server that asks itself: sound ones, and some that must not count. The status list
 * is said to be at an address, where the test serves it from status.jwt. The picture is what a face is compared with.
 */
export async function makeAll(dir, verifierHost, lists, portrait) {
  const by = await parties(verifierHost);
  const holder = await newKeys();
  const key = await jwk(holder.publicKey);
  const status = (idx, name = "status") => ({ status_list: { uri: `${lists}/${name}`, idx } });
  const picture = readFileSync(portrait);
  const withFace = { ...citizen, picture: `data:image/jpeg;base64,${picture.toString("base64")}` };
  const faceDisclosed = { ...citizenDisclosed, _sd: [...citizenDisclosed._sd, "picture"] };
  const { birthdate, nationalities, address, date_of_expiry, ...names } = citizen;
  const held = {
    pid: await person(by.persons, key, status(7), citizen, citizenDisclosed),
    face: await person(by.persons, key, status(7), withFace, faceDisclosed),
    revoked: await person(by.persons, key, status(8), citizen, citizenDisclosed),
    unlisted: await person(by.persons, key, status(7, "nowhere"), citizen, citizenDisclosed),
    expired: await person(by.persons, key, status(7), citizen, citizenDisclosed, -2),
    forged: await person(by.stranger, key, status(7), citizen, citizenDisclosed),
    grown: await person(by.persons, key, status(7), { age_equal_or_over: { 18: true } }, { _sd: ["age_equal_or_over"] }),
    pidDocument: await document(by.documents, key, types.pidDocument, types.pidDocument, {
      ...names, birth_date: new DateOnly(birthdate), nationality: ["UT"], expiry_date: new DateOnly(date_of_expiry),
    }, .5),
    licence: await document(by.documents, key, types.licence, licenceSpace, licenceOf(picture), .5),
    forgedLicence: await document(by.documentStranger, key, types.licence, licenceSpace, licenceOf(picture), .5),
    age: await document(by.documents, key, types.age, types.age, { age_over_18: true }, .5),
  };
  writeFileSync(join(dir, "status.jwt"), await statusList(by.persons, `${lists}/status`, [8]));
  await writeParties(dir, by);
  return { holder: await jwk(holder.privateKey), held };
}
