import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, testPassword } from "#test/test-app.ts";

const app = closeAfterFile(
  await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example", RATE_LIMITS: "on" } }),
);

const proxied = { host: "stagedoor.example", "x-forwarded-for": "203.0.113.7" };
const signIn = (email: string, password: string) =>
  app.request("/auth/v1/token?grant_type=password", { body: { email, password }, headers: proxied });
const notices = () => app.database.db.selectFrom("operator_notices").select("kind").execute();

test("locks no user out because of other users' wrong passwords behind an unlisted proxy", async () => {
  expect(await notices()).toEqual([]);
  const owner = await app.make.user();
  // The address may fail more often than a single account.
  for (let account = 0; account < 6; account++)
    for (let guess = 0; guess < 9; guess++) await signIn(`guessed-${account}@example.test`, `wrong ${guess}`);
  expect((await signIn(owner.email, testPassword)).status).toBe(200);
  for (let guess = 0; guess < 10; guess++) await signIn("guessed-0@example.test", "wrong");
  expect((await signIn("guessed-0@example.test", "wrong")).status).toBe(429);
  expect(await notices()).toEqual([{ kind: "unnamed_proxy" }]);
});

test("requires the owner's password again, regardless of other users behind an unlisted proxy", async () => {
  const signedIn = async () => {
    const headers = { ...proxied, ...(await app.signIn(await app.make.user())) };
    return async (password: string) =>
      (await app.request("/api/me/reauthenticate", { body: { password }, headers })).status;
  };
  for (let account = 0; account < 6; account++) {
    const enter = await signedIn();
    for (let guess = 0; guess < 9; guess++) expect(await enter(`wrong ${guess}`)).toBe(403);
  }
  expect(await (await signedIn())(testPassword)).toBe(200);
});
