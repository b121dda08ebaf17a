import { describe, expect, it } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { setUpAccounts } from "#test/harness/accounts.ts";

const app = setUpAccounts({ RATE_LIMITS: "on", SMS_CODES_PER_DAY: "2" });

const home = { ip: "203.0.113.9" };
const tooMany = { status: 429, message: expect.stringContaining("No more codes can be sent by SMS today") as string };
const signIn = async (phone: string, from: { ip: string }) =>
  (await app.client(from).auth.signInWithOtp({ phone: `+${phone}` })).error;

describe("SMS_CODES_PER_DAY", () => {
  it("limits codes to new numbers, for signed-in users too, but not those to confirmed numbers", async () => {
    await app.signedIn({ phone: "15125550300" }, home);
    const caller = await app.signedIn({}, { ip: "198.51.100.1" });
    const change = async ({ auth }: typeof caller, at: number) =>
      (await auth.updateUser({ phone: `+1512555031${at}` })).error;
    expect([await change(caller, 1), await change(caller, 2)]).toEqual([null, null]);
    expect(await change(caller, 3)).toMatchObject(tooMany);
    expect(await app.services.limits.count(`phone change ${caller.user.id}`)).toBe(2);
    expect(await signIn("15125550300", { ip: "198.51.100.9" })).toBeNull();
    expect((await findWaiting(app.db)).find(({ kind }) => kind === "sms")).toMatchObject({ count: 1 });
    app.clock.advance(86_401_000);
    expect(await change(await app.signedIn(), 4)).toBeNull();
  });

  it("counts only codes that are sent, and refuses known and unknown numbers alike", async () => {
    await app.signedIn({ phone: "15125550320" }, home);
    for (const at of [1, 2, 3, 4]) expect(await signIn(`1512555033${at}`, { ip: "198.51.100.20" })).toBeNull();
    for (const at of [1, 2]) expect(await signIn("15125550320", { ip: `198.51.100.2${at}` })).toBeNull();
    const refused = await signIn("15125550320", { ip: "198.51.100.23" });
    expect(refused).toMatchObject(tooMany);
    expect(await signIn("15125550331", { ip: "198.51.100.23" })).toEqual(refused);
    expect(await signIn("15125550320", home)).toBeNull();
  });
});
