/** An authenticator in software (WebAuthn, ES256) for server tests: real keys and signatures, with responses that can be falsified. */

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

type CredentialOptions = {
  challenge: string;
  rpId?: string | undefined;
  rp?: { id?: string | undefined };
  user?: { id: string };
};
export type Bent = Partial<{
  origin: string;
  host: string;
  counter: number;
  userVerified: boolean;
  challenge: string;
  handle: string;
}>;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

export function makeAuthenticator(origin = "http://localhost:3000") {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;
  let handle: string | undefined;

  const clientData = (type: string, options: CredentialOptions, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: bent.challenge ?? options.challenge,
        origin: bent.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (host: string, bent: Bent, attested: Uint8Array = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter = bent.counter ?? counter + 1));
    const flags = 0x01 | (bent.userVerified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(bent.host ?? host), Buffer.from([flags]), count, attested]);
  };
  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: "public-key" as const,
    clientExtensionResults: {},
  };

  return {
    id: base64url(id),
    create(options: CredentialOptions, bent: Bent = {}) {
      handle = options.user?.id;
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, "base64url"))],
          [-3, new Uint8Array(Buffer.from(y, "base64url"))],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const authData = new Uint8Array(authenticatorData(options.rp?.id ?? "", bent, attested));
      const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", authData],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options, bent)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ["internal" as const],
        },
      };
    },
    get(options: CredentialOptions, bent: Bent = {}) {
      const client = clientData("webauthn.get", options, bent);
      const data = authenticatorData(options.rpId ?? "", bent);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle: bent.handle ?? handle,
        },
      };
    },
  };
}
