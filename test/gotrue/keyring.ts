/** The double's signing keys, published as a JWKS. They can change while older tokens are still valid. */

import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair, jwtVerify } from "jose";

type Key = { kid: string; publicJwk: JWK; privateKey: CryptoKey; publicKey: CryptoKey };
export type Keyring = Awaited<ReturnType<typeof makeKeyring>>;

export async function makeKeyring(algorithm: "RS256" | "ES256") {
  const make = async (): Promise<Key> => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const kid = crypto.randomUUID();
    const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig", key_ops: ["verify"] };
    return { kid, publicJwk, privateKey, publicKey };
  };
  const keys = [await make()];
  let shared = false;
  return {
    /** An HS256 project publishes no keys. */
    published: () => (shared ? [] : keys.map((key) => key.publicJwk)),
    useSharedSecret: () => void (shared = true),
    /** Signs with a new key from now on. The former one stays published. */
    rotate: async () => void keys.push(await make()),
    sign: async (claims: Record<string, unknown>): Promise<string> => {
      const key = keys.at(-1);
      if (!key) throw new Error("no key");
      return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: key.kid, typ: "JWT" }).sign(key.privateKey);
    },
    verify: async (token: string, now: Date) => {
      const find = ({ kid }: { kid?: string }) => {
        const key = keys.find((one) => one.kid === kid);
        if (!key) throw new Error("unknown key");
        return key.publicKey;
      };
      return (await jwtVerify(token, find, { currentDate: now, audience: "authenticated" })).payload;
    },
  };
}
