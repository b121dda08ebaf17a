import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Keys } from "#platform/security/keys.ts";
import { bookingKey, hashOf, keyForReader } from "./access.ts";

const id = "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f01";
/** Keys of these root keys, the present one first. */
function keysOf(...roots: string[]): Keys {
  const hmacs = (purpose: string, text: string | Uint8Array) =>
    roots.map((root) => createHmac("sha256", root).update(purpose).update(text).digest());
  const hmac: Keys["hmac"] = (purpose, text) => hmacs(purpose, text)[0] ?? Buffer.alloc(0);
  return { hmac, hmacs, encrypt: String, decrypt: String, installation: "test" };
}

test("a reader gets the key that the booking was asked with, also after the root key was replaced", () => {
  const asked = bookingKey(keysOf("old"), id);
  const booking = { id, access_key_hash: hashOf(asked) };
  expect(keyForReader(keysOf("old"), booking)).toEqual({ key: asked, isNew: false });
  expect(keyForReader(keysOf("new", "old"), booking)).toEqual({ key: asked, isNew: false });
});

test("without a key that fits, a new one has to be stored", () => {
  const key = bookingKey(keysOf("new"), id);
  expect(keyForReader(keysOf("new"), { id, access_key_hash: null })).toEqual({ key, isNew: true });
  expect(keyForReader(keysOf("new"), { id, access_key_hash: hashOf("another") })).toEqual({ key, isNew: true });
});
