import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, testPassword, testApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const artistRow = (id: string) =>
  app.database.db.selectFrom("artists").select(["user_id", "is_active"]).where("id", "=", id).executeTakeFirstOrThrow();

describe("whole app", () => {
  it("assigns the artist of a granted claim, and retires it when the account is deleted", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artist = await app.make.artist({ name, userId: null });
    const person = await app.make.user({ role: "artist", name });
    const admin = await app.make.user({ role: "admin" });
    const [personHeaders, adminHeaders] = [await app.signIn(person), await app.signIn(admin)];
    const claim = await app.request("/api/me/claims", {
      headers: personHeaders,
      body: { artistId: artist.id, evidence: "We play at the Waterworks every May." },
    });
    const { id } = (await claim.json()) as { id: string };
    await app.request(`/api/admin/claims/${id}`, { headers: adminHeaders, body: { granted: true } });
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: person.id, is_active: true });
    expect(
      (await app.request("/api/me/delete", { headers: personHeaders, body: { password: testPassword } })).status,
    ).toBe(200);
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: null, is_active: false });
    expect((await app.request("/api/me", { headers: personHeaders })).status).toBe(401);
  });

  it("puts the email of a sign-up into the demo's outbox with a link that opens the account", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const signedUp = await app.request("/auth/v1/signup", {
      body: { email, password: testPassword, data: { name: "Otto", role: "artist" } },
    });
    const cookie = signedUp.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const outbox = (await (await app.request(`/api/dev/outbox?to=${email}`)).json()) as {
      to: string;
      text: string;
    }[];
    const token = /token_hash=([\w-]+)/.exec(outbox[0]?.text ?? "")?.[1];
    const verified = await app.request("/auth/v1/verify", {
      headers: { cookie },
      body: { type: "signup", token_hash: token },
    });
    expect(verified.status).toBe(200);
    await app.settle();
    const headers = await app.signIn({ email });
    expect(await (await app.request("/api/me", { headers })).json()).toMatchObject({
      name: "Otto",
      role: "artist",
      emailVerified: true,
    });
  });

  it("returns the error code of an invalid token under /api", async () => {
    const response = await app.request("/api/me", { headers: { authorization: "Bearer made.up.token" } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "bad_jwt", requestId: expect.any(String) });
    expect(((await (await app.request("/api/me")).json()) as { code: string }).code).toBe("session_missing");
  });
});
