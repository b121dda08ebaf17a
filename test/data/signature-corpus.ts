/**
 * Signed webhooks, valid ones and those of forgers, proxies and mistakes. Every endpoint that verifies a signature is
 * tested with the same table (signatures.test.ts). `needs` omits cases for schemes without the feature, such as a
 * timestamp.
 */

import { createHmac } from "node:crypto";

export type Headers = Record<string, string | string[]>;
type Delivery = Readonly<{ body: string; headers: Headers }>;
/** `seconds`: offset of the signing time from now. `secret`: the endpoint's own by default. */
type Signing = { seconds?: number; secret?: string };

export type SignatureScheme = Readonly<{
  url: string;
  header: string;
  /** Features of the scheme: a signing time, several signatures, or hexadecimal digits, whose capitals have the same value. */
  has: readonly ("time" | "several" | "hex")[];
  secret(): string;
  /** Secrets of the installation's other endpoints. */
  otherSecrets(): readonly string[];
  now(): Date;
  /** Returns an event that is accepted when signed. Another number results in another event. */
  event(number: number): string;
  digest(body: string, secret: string, second: number): string;
  /** Returns the headers with these digests. `version`: another version of the scheme than ours. */
  carry(digests: readonly string[], second: number, version?: "another"): Headers;
}>;

type Case = Readonly<{
  status: 200 | 400 | 431;
  needs?: SignatureScheme["has"][number];
  /** Only for schemes without this feature. */
  lacks?: SignatureScheme["has"][number];
  make(scheme: SignatureScheme, body: string): Delivery;
}>;

const secondOf = (scheme: SignatureScheme, seconds = 0) => Math.floor(scheme.now().getTime() / 1_000) + seconds;
const digestOf = (scheme: SignatureScheme, body: string, { seconds, secret = scheme.secret() }: Signing = {}) =>
  scheme.digest(body, secret, secondOf(scheme, seconds));

export const signedDelivery = (scheme: SignatureScheme, body: string, signing: Signing = {}): Delivery => ({
  body,
  headers: scheme.carry([digestOf(scheme, body, signing)], secondOf(scheme, signing.seconds)),
});
const withDigests = (scheme: SignatureScheme, body: string, digests: readonly string[]): Delivery => ({
  body,
  headers: scheme.carry(digests, secondOf(scheme)),
});
/** Changes the digest of the valid signature. */
const changed = (change: (digest: string) => string): Case["make"] => {
  return (scheme, body) => withDigests(scheme, body, [change(digestOf(scheme, body))]);
};
/** Changes the body under the valid headers. */
const around = (change: (body: string) => string): Case["make"] => {
  return (scheme, body) => ({ ...signedDelivery(scheme, body), body: change(body) });
};
const by = (secret: string): Case["make"] => {
  return (scheme, body) => signedDelivery(scheme, body, { secret });
};
const at = (seconds: number): Case["make"] => {
  return (scheme, body) => signedDelivery(scheme, body, { seconds });
};
const flipByte = (body: string, index: number) =>
  body.slice(0, index) + (body[index] === " " ? "." : " ") + body.slice(index + 1);
const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()));
const valueOf = (scheme: SignatureScheme, body: string) =>
  String(signedDelivery(scheme, body).headers[scheme.header] ?? "");

export const refusedDeliveries: Readonly<Record<string, Case>> = {
  "no header": { status: 400, make: (_scheme, body) => ({ body, headers: {} }) },
  "an empty header": { status: 400, make: (scheme, body) => ({ body, headers: { [scheme.header]: "" } }) },
  "the right signature in a header of another name": {
    status: 400,
    make: (scheme, body) => ({ body, headers: { "x-signature": valueOf(scheme, body) } }),
  },
  "another secret": { status: 400, make: by("whsec_of_somebody_else") },
  "the empty secret": { status: 400, make: by("") },
  "the secret 'undefined'": { status: 400, make: by("undefined") },
  "the secret with a line break behind it": {
    status: 400,
    make: (scheme, body) => signedDelivery(scheme, body, { secret: `${scheme.secret()}\n` }),
  },
  ...Object.fromEntries(
    [0, 1, 2].map((index) => [
      `the secret of another endpoint (${index + 1})`,
      {
        status: 400 as const,
        make: (scheme: SignatureScheme, body: string) =>
          signedDelivery(scheme, body, { secret: scheme.otherSecrets()[index] ?? "" }),
      },
    ]),
  ),
  "the first byte of the body changed": { status: 400, make: around((body) => flipByte(body, 0)) },
  "a byte within the body changed": { status: 400, make: around((body) => flipByte(body, body.length >> 1)) },
  "the last byte of the body changed": { status: 400, make: around((body) => flipByte(body, body.length - 1)) },
  "a line break behind the body": { status: 400, make: around((body) => `${body}\n`) },
  "a byte order mark before the body": { status: 400, make: around((body) => `\uFEFF${body}`) },
  "the body cut short": { status: 400, make: around((body) => body.slice(0, -1)) },
  "the body written anew as JSON": { status: 400, make: around((body) => JSON.stringify(JSON.parse(body), null, 2)) },
  "the body's names in another order": {
    status: 400,
    make: around((body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed()))),
  },
  "an empty body under the signature of an event": { status: 400, make: around(() => "") },
  "an empty body, signed": { status: 400, make: (scheme) => signedDelivery(scheme, "") },
  "a body that is no JSON, signed": { status: 400, make: (scheme) => signedDelivery(scheme, "money") },
  "a body that is null, signed": { status: 400, make: (scheme) => signedDelivery(scheme, "null") },
  "a list of events, signed": { status: 400, make: (scheme, body) => signedDelivery(scheme, `[${body}]`) },
  "NUL within the body, signed": {
    status: 400,
    make: (scheme, body) => signedDelivery(scheme, body.replace("{", "{\u0000")),
  },
  "six minutes old": { status: 400, needs: "time", make: at(-360) },
  "three days old": { status: 400, needs: "time", make: at(-3 * 86_400) },
  "six minutes in the future": { status: 400, needs: "time", make: at(360) },
  "a year in the future": { status: 400, needs: "time", make: at(365 * 86_400) },
  "an old signature under a fresh timestamp": {
    status: 400,
    needs: "time",
    make: (scheme, body) => withDigests(scheme, body, [digestOf(scheme, body, { seconds: -900 })]),
  },
  "a signature without its timestamp": {
    status: 400,
    needs: "time",
    make: (scheme, body) => ({ body, headers: { [scheme.header]: digestOf(scheme, body) } }),
  },
  "a timestamp without a signature": {
    status: 400,
    needs: "time",
    make: (scheme, body) => ({ body, headers: scheme.carry([], secondOf(scheme)) }),
  },
  "several signatures, none of them right": {
    status: 400,
    needs: "several",
    make: (scheme, body) =>
      withDigests(
        scheme,
        body,
        ["whsec_a", "whsec_b"].map((secret) => digestOf(scheme, body, { secret })),
      ),
  },
  "a second signature where the scheme has one": {
    status: 400,
    lacks: "several",
    make: (scheme, body) => {
      const value = valueOf(scheme, body);
      return { body, headers: { [scheme.header]: `${value},${value}` } };
    },
  },
  "another version of the scheme": {
    status: 400,
    make: (scheme, body) => ({
      body,
      headers: scheme.carry([digestOf(scheme, body)], secondOf(scheme), "another"),
    }),
  },
  "a signature that is no number": { status: 400, make: changed((digest) => `zz${digest.slice(2)}`) },
  "a signature of one digit too few": { status: 400, make: changed((digest) => digest.slice(0, -1)) },
  "a signature of two digits too few": { status: 400, make: changed((digest) => digest.slice(0, -2)) },
  "a signature of one digit too many": { status: 400, make: changed((digest) => `${digest}0`) },
  "a signature in capitals": { status: 400, needs: "hex", make: changed((digest) => digest.toUpperCase()) },
  "a signature in base 64 with small and capital characters exchanged": {
    status: 400,
    lacks: "hex",
    make: changed(swapCase),
  },
  "a signature in base 64 where digits are expected": {
    status: 400,
    needs: "hex",
    make: changed((digest) => Buffer.from(digest, "hex").toString("base64url")),
  },
  "a signature in digits where base 64 is expected": {
    status: 400,
    lacks: "hex",
    make: changed((digest) => Buffer.from(digest, "base64").toString("hex")),
  },
  "a blank within the signature": {
    status: 400,
    make: changed((digest) => `${digest.slice(0, 8)} ${digest.slice(8)}`),
  },
  "the same header twice": {
    status: 400,
    make: (scheme, body) => {
      const value = valueOf(scheme, body);
      return { body, headers: { [scheme.header]: [value, value] } };
    },
  },
  "a wrong header beside the right one": {
    status: 400,
    make: (scheme, body) => {
      const wrong = signedDelivery(scheme, body, { secret: "whsec_of_somebody_else" }).headers[scheme.header];
      return { body, headers: { [scheme.header]: [String(wrong), valueOf(scheme, body)] } };
    },
  },
  "a header of twelve thousand characters": {
    status: 400,
    make: (scheme, body) => ({ body, headers: { [scheme.header]: "0".repeat(12_000) } }),
  },
  "a header of forty thousand characters": {
    status: 431,
    make: (scheme, body) => ({ body, headers: { [scheme.header]: "0".repeat(40_000) } }),
  },
};

export const believedDeliveries: Readonly<Record<string, Case>> = {
  "the right signature": { status: 200, make: at(0) },
  "four minutes old": { status: 200, needs: "time", make: at(-240) },
  "four minutes in the future": { status: 200, needs: "time", make: at(240) },
  "the right one of two signatures, first": {
    status: 200,
    needs: "several",
    make: (scheme, body) =>
      withDigests(scheme, body, [digestOf(scheme, body), digestOf(scheme, body, { secret: "whsec_former" })]),
  },
  "the right one of two signatures, last": {
    status: 200,
    needs: "several",
    make: (scheme, body) =>
      withDigests(scheme, body, [digestOf(scheme, body, { secret: "whsec_former" }), digestOf(scheme, body)]),
  },
  "a header whose name is written in capitals": {
    status: 200,
    make: (scheme, body) => ({ body, headers: { [scheme.header.toUpperCase()]: valueOf(scheme, body) } }),
  },
};

/** Returns the cases of a table that apply to a scheme. */
export const casesFor = (scheme: SignatureScheme, table: Readonly<Record<string, Case>>) =>
  Object.entries(table).filter(
    ([, { needs, lacks }]) => (!needs || scheme.has.includes(needs)) && (!lacks || !scheme.has.includes(lacks)),
  );

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text);

type Parts = Pick<SignatureScheme, "secret" | "otherSecrets" | "now" | "event">;

/** Stripe: "t=second,v1=hex". v1 may be repeated. */
export const stripeScheme = (url: string, parts: Parts): SignatureScheme => ({
  ...parts,
  url,
  header: "stripe-signature",
  has: ["time", "several", "hex"],
  digest: (body, secret, second) => hmac(secret, `${second}.${body}`).digest("hex"),
  carry: (digests, second, version) => ({
    "stripe-signature": [`t=${second}`, ...digests.map((one) => `${version ? "v0" : "v1"}=${one}`)].join(","),
  }),
});

/** DocuSeal: "second.hex". */
export const docusealScheme = (parts: Parts): SignatureScheme => ({
  ...parts,
  url: "/api/webhooks/esign",
  header: "x-docuseal-signature",
  has: ["time", "hex"],
  digest: (body, secret, second) => hmac(secret, `${second}.${body}`).digest("hex"),
  carry: ([digest = ""], second, version) => ({ "x-docuseal-signature": `${version ? "v1." : ""}${second}.${digest}` }),
});

/** DocuSign: base 64 in numbered headers, without a signing time. */
export const docusignScheme = (parts: Parts): SignatureScheme => ({
  ...parts,
  url: "/api/webhooks/esign",
  header: "x-docusign-signature-1",
  has: ["several"],
  digest: (body, secret) => hmac(secret, body).digest("base64"),
  carry: (digests, _second, version) =>
    Object.fromEntries(digests.map((one, index) => [`x-docusign-signature-${version ? "v2-" : ""}${index + 1}`, one])),
});
