import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, testPassword, testApp } from "#test/test-app.ts";

let house: TestApp;
beforeAll(async () => {
  house = await testApp();
});
afterAll(() => house.close());

const artistRow = (id: string) =>
  house.database.db
    .selectFrom("artists")
    .select(["user_id", "is_active"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

describe("accounts in the whole house", () => {
  it("a granted claim hands the artist over, and deleting the account retires the artist", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artist = await house.make.artist({ name, userId: null });
    const person = await house.make.user({ role: "artist", name });
    const admin = await house.make.user({ role: "admin" });
    const [personHeaders, adminHeaders] = [await house.signIn(person), await house.signIn(admin)];
    const claim = await house.request("/api/me/claims", {
      headers: personHeaders,
      body: { artistId: artist.id, evidence: "We play at the Waterworks every May." },
    });
    const { id } = (await claim.json()) as { id: string };
    await house.request(`/api/admin/claims/${id}`, { headers: adminHeaders, body: { granted: true } });
    await house.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: person.id, is_active: true });
    expect(
      (await house.request("/api/me/delete", { headers: personHeaders, body: { password: testPassword } })).status,
    ).toBe(200);
    await house.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: null, is_active: false });
    expect((await house.request("/api/me", { headers: personHeaders })).status).toBe(401);
  });

  it("a sign-up's mail is in the demo's outbox, and its link's token opens the account", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const signedUp = await house.request("/auth/v1/signup", {
      body: { email, password: testPassword, data: { name: "Otto", role: "artist" } },
    });
    const cookie = signedUp.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const outbox = (await (await house.request(`/api/dev/outbox?to=${email}`)).json()) as {
      to: string;
      text: string;
    }[];
    const token = /token_hash=([\w-]+)/.exec(outbox[0]?.text ?? "")?.[1];
    const verified = await house.request("/auth/v1/verify", {
      headers: { cookie },
      body: { type: "signup", token_hash: token },
    });
    expect(verified.status).toBe(200);
    await house.settle();
    const headers = await house.signIn({ email });
    expect(await (await house.request("/api/me", { headers })).json()).toMatchObject({
      name: "Otto",
      role: "artist",
      emailVerified: true,
    });
  });

  it("says refusals of a token by their names under /api", async () => {
    const answer = await house.request("/api/me", { headers: { authorization: "Bearer made.up.token" } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "bad_jwt", requestId: expect.any(String) });
    expect(((await (await house.request("/api/me")).json()) as { code: string }).code).toBe("session_missing");
  });
});
