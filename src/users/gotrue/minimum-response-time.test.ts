/**
 * Response times reveal nothing. The tests prove the work and the wait, not measured times: known and unknown addresses get the same number
 * of password comparisons of the same cost, and responses come at a multiple of the same time.
 */

import { beforeAll, describe, expect, it } from "vitest";
import { openServices } from "#app/services.ts";
import { readConfig } from "#platform/config.ts";
import { type AuthTiming, authTiming } from "#platform/security/auth-timing.ts";
import { freshDatabase } from "#test/database.ts";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";
import { passwordMatches } from "../providers/local/passwords.ts";

const compared: string[] = [];
const waits: number[] = [];
const recorded: AuthTiming = {
  ...authTiming,
  verifyPassword: (stored, password) => {
    compared.push(stored.slice(0, stored.lastIndexOf("$", stored.lastIndexOf("$") - 1)));
    return authTiming.verifyPassword(stored, password);
  },
  waitForMultiple: async (milliseconds) => void waits.push(milliseconds),
};
const realCost = "$argon2id$v=19$m=19456,t=2,p=1";

const app = setUpAccounts({}, undefined, { authTiming: recorded });
let token: string;
beforeAll(async () => {
  token = (await app.signedIn()).token;
});

const unknownAddress = () => `never-${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const unknownNumber = () => `+1512556${String(1_000 + ++numbers)}`;

type Call = {
  what: string;
  /** Milliseconds. */
  minimum: number;
  method?: string;
  path: string;
  body: object;
  by?: "phone";
  waiting?: true;
};

const calls: readonly Call[] = [
  { what: "a password", minimum: 100, path: "/token?grant_type=password", body: { password: "not this one at all" } },
  { what: "a sign-up", minimum: 250, path: "/signup", body: { password: testPassword } },
  { what: "a recovery", minimum: 200, path: "/recover", body: {} },
  { what: "a code by email", minimum: 200, path: "/otp", body: { create_user: false } },
  { what: "a code by SMS", minimum: 200, path: "/otp", body: {}, by: "phone" },
  { what: "a confirmation asked for again", minimum: 200, path: "/resend", body: { type: "signup" } },
  { what: "a wrong code", minimum: 100, path: "/verify", body: { type: "email", token: "no code" }, waiting: true },
  { what: "another address", minimum: 200, method: "PUT", path: "/user", body: {} },
];

describe("known and unknown addresses, with equal comparisons and waits", () => {
  it.each(calls)(
    "returns at a multiple of the same time: $what",
    async ({ minimum, method = "POST", path, body, by = "email", waiting }) => {
      const phone = unknownNumber();
      const user = await app.user({ phone, confirmed: path !== "/resend" });
      const password_hash = await authTiming.hashPassword(testPassword);
      await app.db.updateTable("users").set({ password_hash }).where("id", "=", user.id).execute();
      if (waiting) await app.client().auth.signInWithOtp({ email: user.email });
      const observe = async (to: string) => {
        waits.length = 0;
        compared.length = 0;
        await app.send(`/auth/v1${path}`, { method, token, body: { ...body, [by]: to } });
        return { waits: [...waits], compared: [...compared] };
      };
      const known = await observe(by === "phone" ? phone : user.email);
      expect(known.waits).toEqual([minimum]);
      expect(await observe(by === "phone" ? unknownNumber() : unknownAddress())).toEqual(known);
    },
  );
});

it("compares a password without a stored one with a hash of the same cost", async () => {
  const services = { authTiming: recorded };
  const stored = await services.authTiming.hashPassword(testPassword);
  compared.length = 0;
  for (const hash of [stored, null]) expect(await passwordMatches(services, hash, "not this one at all")).toBe(false);
  expect(compared).toEqual([realCost, realCost]);
});

it("compares the password twice in a failed sign-in, for known and unknown accounts", async () => {
  const stranger = "words of a stranger";
  const [known, signedUpAgain] = [(await app.user()).email, (await app.user()).email];
  const unconfirmed = unknownAddress();
  for (const email of [signedUpAgain, unconfirmed]) await app.client().auth.signUp({ email, password: stranger });
  for (const email of [known, signedUpAgain, unconfirmed, "never-seen@people.test"]) {
    for (const password of [stranger, "not this one at all"]) {
      compared.length = 0;
      expect((await app.client().signInError(email, password))?.status).toBe(400);
      expect(compared).toHaveLength(2);
    }
  }
});

it("waits until the next multiple, never less", async () => {
  for (const [taken, end] of [
    [15, 20],
    [45, 60],
  ] as const) {
    const start = performance.now() - taken;
    await authTiming.waitForMultiple(20, start);
    // Timers count whole milliseconds of their own clock.
    expect(performance.now() - start).toBeGreaterThan(end - 2);
  }
});

it("uses the real cost and the real waits outside tests", async () => {
  const { database, drop } = await freshDatabase();
  const services = await openServices(readConfig({ DATA_DIR: app.dataDir, DEMO: "0", SEED: "none" }), { database });
  expect(services.authTiming).toBe(authTiming);
  await services.close();
  await drop();
});
