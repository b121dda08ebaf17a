/**
 * Time tells nothing. Two things are measured, because either alone could hide a fault: that no answer comes before its floor, and
 * that the medians of calls taken in turn are alike. The decoy of the passwords is measured without the floor that would hide it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword, passwordMatches } from "../providers/local/passwords.ts";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";

let app: AccountsApp;
let bearer: string;
beforeAll(async () => {
  app = await accountsApp();
  bearer = (await app.as(await app.user())).token;
});
afterAll(() => app.close());

type Work = () => Promise<unknown>;

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Runs both in turn, so that whatever else the machine does falls on both. Milliseconds. */
async function measure(first: Work, second: Work, runs: number) {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const [at, work] of [first, second].entries()) {
      const start = performance.now();
      await work();
      times[at]?.push(performance.now() - start);
    }
  }
  const [one, other] = [median(times[0]), median(times[1])];
  return { least: Math.min(...times.flat()), apart: Math.abs(one - other) / Math.max(one, other) };
}

const unknownAddress = () => `never-${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const unknownNumber = () => `+1512556${String(1_000 + ++numbers)}`;

type Call = { what: string; floor: number; method?: string; path: string; body: object; by?: "phone"; waiting?: true };

/** `floor` in milliseconds; `waiting`: the known address has asked for a code before. */
const calls: readonly Call[] = [
  { what: "a password", floor: 100, path: "/token?grant_type=password", body: { password: "not this one at all" } },
  { what: "a sign-up", floor: 250, path: "/signup", body: { password: testPassword } },
  { what: "a recovery", floor: 200, path: "/recover", body: {} },
  { what: "a code by mail", floor: 200, path: "/otp", body: { create_user: false } },
  { what: "a code by SMS", floor: 200, path: "/otp", body: {}, by: "phone" },
  { what: "a confirmation asked for again", floor: 200, path: "/resend", body: { type: "signup" } },
  { what: "a wrong code", floor: 100, path: "/verify", body: { type: "email", token: "no code" }, waiting: true },
  { what: "another address", floor: 200, method: "PUT", path: "/user", body: {} },
];

describe("known and unknown are answered after the same time:", () => {
  it.each(calls)("$what", { retry: 3 }, async ({ floor, method = "POST", path, body, by = "email", waiting }) => {
    const phone = unknownNumber();
    const user = await app.user({ phone, confirmed: path !== "/resend" });
    const ask = (to: string) => () =>
      app.send(`/auth/v1${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ ...body, [by]: to }),
      });
    if (waiting) await app.client().auth.signInWithOtp({ email: user.email });
    const known = by === "phone" ? phone : user.email;
    const unknown = by === "phone" ? unknownNumber() : unknownAddress();
    await ask(unknown)();
    const { least, apart } = await measure(ask(known), ask(unknown), 5);
    expect(least).toBeGreaterThanOrEqual(floor - 2);
    expect(apart).toBeLessThan(0.2);
  });
});

it("comparing a password with no stored one takes as long as with one", async () => {
  const stored = await hashPassword(testPassword);
  const least = { stored: Number.POSITIVE_INFINITY, none: Number.POSITIVE_INFINITY };
  const compare = async (what: keyof typeof least, hash: string | null) => {
    const start = performance.now();
    await passwordMatches(hash, "not this one at all");
    least[what] = Math.min(least[what], performance.now() - start);
  };
  const apart = () => Math.abs(least.stored - least.none) / Math.max(least.stored, least.none);
  await passwordMatches(null, "the first time makes the decoy");
  // The least time of each is the work's own; a busy machine needs more runs to show it.
  for (let run = 0; run < 10 || (run < 100 && apart() >= 0.2); run++) {
    await compare("stored", stored);
    await compare("none", null);
  }
  expect(apart()).toBeLessThan(0.2);
});
