/**
 * The time of an answer tells nothing. What is proven is the work and the wait, not the stopwatch: known and unknown addresses get the
 * same number of password comparisons of the same cost, and are answered at a multiple of the same time.
 */
import { verify } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openServices } from "#app/services.ts";
import { authTiming } from "#platform/auth-timing.ts";
import { readConfig } from "#platform/config.ts";
import { freshDatabase } from "#test/database.ts";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";
import { hashPassword, passwordMatches } from "../providers/local/passwords.ts";

// The real thing, counted.
vi.mock("@node-rs/argon2", { spy: true });

const waits: number[] = [];
let app: AccountsApp;
let bearer: string;
beforeAll(async () => {
  const recorded = { ...authTiming, waitForMultiple: async (milliseconds: number) => void waits.push(milliseconds) };
  app = await accountsApp({}, undefined, { authTiming: recorded });
  bearer = (await app.as(await app.user())).token;
});
afterAll(() => app.close());

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
  /** The known address has asked for a code before. */
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

describe("known and unknown are compared as often and answered at a multiple of the same time:", () => {
  it.each(calls)("$what", async ({ minimum, method = "POST", path, body, by = "email", waiting }) => {
    const phone = unknownNumber();
    const user = await app.user({ phone, confirmed: path !== "/resend" });
    if (waiting) await app.client().auth.signInWithOtp({ email: user.email });
    /** What one call waits for, and the costs of the hashes that it compares a password with. */
    const observe = async (to: string) => {
      waits.length = 0;
      vi.mocked(verify).mockClear();
      await app.send(`/auth/v1${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ ...body, [by]: to }),
      });
      return { waits: [...waits], compared: vi.mocked(verify).mock.calls.length };
    };
    const known = await observe(by === "phone" ? phone : user.email);
    expect(known.waits).toEqual([minimum]);
    expect(await observe(by === "phone" ? unknownNumber() : unknownAddress())).toEqual(known);
  });
});

it("a password without a stored one is compared with a hash of the same cost", async () => {
  const services = { authTiming };
  const stored = await hashPassword(services, testPassword);
  const costOf = (hash: unknown) => /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/.exec(String(hash))?.[0];
  expect(costOf(stored)).toBeDefined();
  vi.mocked(verify).mockClear();
  for (const hash of [stored, null]) expect(await passwordMatches(services, hash, "not this one at all")).toBe(false);
  expect(vi.mocked(verify).mock.calls.map(([hash]) => costOf(hash))).toEqual([costOf(stored), costOf(stored)]);
});

it.each(["after a sign-up that was never confirmed", "after a sign-up of a known address"])(
  "a sign-in %s is compared as often as a wrong password",
  async (what) => {
    const email = what.includes("known") ? (await app.user()).email : unknownAddress();
    const ask = (path: string, password: string) =>
      app.send(`/auth/v1/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      });
    await ask("signup", "words of a stranger");
    for (const password of ["words of a stranger", "not this one at all"]) {
      vi.mocked(verify).mockClear();
      expect((await ask("token?grant_type=password", password)).status).toBe(400);
      expect(verify).toHaveBeenCalledTimes(2);
    }
  },
);

it("the wait ends at the next multiple, never before", async () => {
  for (const [taken, end] of [
    [15, 20],
    [45, 60],
  ] as const) {
    const start = performance.now() - taken;
    await authTiming.waitForMultiple(20, start);
    // A timer may fire up to a millisecond early.
    expect(performance.now() - start).toBeGreaterThanOrEqual(end - 1);
  }
});

it("a server that is not a test's uses the real cost and the real waits", async () => {
  const { database, drop } = await freshDatabase();
  const services = await openServices(readConfig({ DATA_DIR: app.dataDir, DEMO: "0", SEED: "none" }), { database });
  expect(services.authTiming).toBe(authTiming);
  await services.close();
  await drop();
});
