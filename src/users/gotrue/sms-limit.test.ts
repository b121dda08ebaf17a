import { expect, it } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { setUpAccounts } from "#test/harness/accounts.ts";

const app = setUpAccounts({ RATE_LIMITS: "on", SMS_CODES_PER_DAY: "2" });

it("limits SMS with codes to all numbers together, except for users on a known network", async () => {
  const home = { ip: "203.0.113.9" };
  const phone = "15125550300";
  await app.signedIn({ phone }, home);
  const change = async (at: number) => {
    const { auth } = await app.signedIn({}, { ip: `198.51.100.${at}` });
    return (await auth.updateUser({ phone: `+1512555031${at}` })).error;
  };
  const signIn = async (from: { ip: string }) =>
    (await app.client(from).auth.signInWithOtp({ phone: `+${phone}` })).error;
  expect([await change(1), await change(2)]).toEqual([null, null]);
  const tooMany = { status: 429, message: expect.stringContaining("No more codes can be sent by SMS today") as string };
  expect(await change(3)).toMatchObject(tooMany);
  expect(await signIn({ ip: "198.51.100.9" })).toMatchObject(tooMany);
  expect(await signIn(home)).toBeNull();
  expect((await findWaiting(app.db)).find(({ kind }) => kind === "sms")).toMatchObject({ count: 1 });
  app.clock.advance(86_401_000);
  expect(await change(4)).toBeNull();
});
