import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Keys } from "#platform/security/keys.ts";
import { bookingKey, hashOf, verifiedKey } from "./access.ts";

const id = "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f01";
/** Returns keys of these root keys, the current one first. */
function keysOf(...roots: string[]): Keys {
  const hmacs = (purpose: string, text: string | Uint8Array) =>
    roots.map((root) => createHmac("sha256", root).update(purpose).update(text).digest());
  const hmac: Keys["hmac"] = (purpose, text) => hmacs(purpose, text)[0] ?? Buffer.alloc(0);
  return { hmac, hmacs, encrypt: String, decrypt: String, installation: "test" };
}

describe("verifiedKey", () => {
  test("returns another key than the browser that sent the request has", () => {
    const keys = keysOf("root");
    const sent = { id, verified_key_hash: hashOf(bookingKey(keys, id)) };
    const { key, isNew } = verifiedKey(keys, sent);
    expect([isNew, key === bookingKey(keys, id)]).toEqual([true, false]);
  });

  test("returns the stored key again, also after the root key was replaced", () => {
    const { key } = verifiedKey(keysOf("old"), { id, verified_key_hash: null });
    const booking = { id, verified_key_hash: hashOf(key) };
    expect(verifiedKey(keysOf("old"), booking)).toEqual({ key, isNew: false });
    expect(verifiedKey(keysOf("new", "old"), booking)).toEqual({ key, isNew: false });
    expect(verifiedKey(keysOf("new"), booking)).toMatchObject({ isNew: true });
  });
});
