import { expect, test } from "vitest";
import { textWithoutSecrets, withoutSecrets } from "./rules.ts";

test("cuts secrets by name at every depth", () => {
  const meta = { amount: 100, access_token: "x", inner: [{ apiKey: "y", Password: "z", kept: "word" }] };
  expect(withoutSecrets(meta)).toEqual({
    amount: 100,
    access_token: "[cut]",
    inner: [{ apiKey: "[cut]", Password: "[cut]", kept: "word" }],
  });
});

test("cuts secrets by shape inside other text", () => {
  const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  expect(textWithoutSecrets(`token ${jwt} given`)).toBe("token [cut] given");
  expect(textWithoutSecrets("key sk_live_abcdefgh12345678")).toBe("key [cut]");
  expect(textWithoutSecrets("/auth/confirm?token_hash=abc123&type=signup")).toBe(
    "/auth/confirm?token_hash=[cut]&type=signup",
  );
});

test("cuts values below the fourth level and converts dates to text", () => {
  expect(withoutSecrets({ a: { b: { c: { d: { e: 1 } } } } })).toEqual({ a: { b: { c: { d: "[cut]" } } } });
  expect(withoutSecrets({ at: new Date(0) })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
});
