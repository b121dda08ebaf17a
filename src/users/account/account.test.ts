import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, goodPassword, openStage } from "#test/accounts-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe("me", () => {
  it("says who is signed in, as the database knows it now", async () => {
    const person = await stage.user({ role: "artist", name: "Nora Field" });
    const { call } = await stage.as(person);
    expect(await call("GET", "/me")).toMatchObject({
      status: 200,
      body: {
        id: person.id,
        name: "Nora Field",
        role: "artist",
        emailVerified: true,
        hasSecondFactor: false,
        adminRequestPending: false,
      },
    });
    expect((await stage.send("/api/me")).status).toBe(401);
  });

  it("asks an admin outside demo mode to set up a second factor", async () => {
    const { call } = await stage.as(await stage.user({ role: "admin" }));
    expect((await call("GET", "/me")).body).toMatchObject({ shouldSetUpSecondFactor: true });
  });
});

describe("the list of sessions", () => {
  it("shows each device and signs one of them out at the next request", async () => {
    const person = await stage.user();
    const [here, there] = [await stage.as(person), await stage.as(person)];
    const { body } = await here.call("GET", "/me/sessions");
    expect(body.items).toHaveLength(2);
    const other = body.items?.find((item) => item["current"] === false);
    expect((await here.call("DELETE", `/me/sessions/${String(other?.["id"])}`)).status).toBe(200);
    expect((await there.call("GET", "/me")).status).toBe(401);
    expect((await here.call("GET", "/me")).status).toBe(200);
  });

  it("does not end somebody else's", async () => {
    const mine = await stage.as(await stage.user());
    const theirs = await stage.as(await stage.user());
    const id = String((await theirs.call("GET", "/me/sessions")).body.items?.[0]?.["id"]);
    expect((await mine.call("DELETE", `/me/sessions/${id}`)).status).toBe(404);
    expect((await theirs.call("GET", "/me")).status).toBe(200);
  });
});

describe("the export", () => {
  it("holds the person's rows and nobody else's, without secrets", async () => {
    const person = await stage.user();
    const other = await stage.user();
    const { call } = await stage.as(person);
    await stage.as(other);
    const text = JSON.stringify((await call("GET", "/me/export")).body);
    expect(text).toContain(person.email);
    expect(text).toContain('"sessions"');
    expect(text).not.toContain(other.id);
    expect(text).not.toContain("$argon2");
    expect(text).not.toMatch(/refresh_tokens|signing_keys/);
  });
});

describe("deletion", () => {
  it("takes the person away everywhere at once and leaves the address free", async () => {
    const person = await stage.user({ name: "Soon Gone" });
    const { call } = await stage.as(person);
    stage.clock.advance(11 * 60_000);
    expect((await call("POST", "/me/delete", {})).body.code).toBe("reauthentication_needed");
    expect((await call("POST", "/me/delete", { password: goodPassword })).status).toBe(200);
    expect((await call("GET", "/me")).status).toBe(401);
    expect(
      (await stage.client().auth.signInWithPassword({ email: person.email, password: goodPassword })).error?.code,
    ).toBe("invalid_credentials");
    const row = await stage.services.database.db
      .selectFrom("profiles")
      .selectAll()
      .where("user_id", "=", person.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/Soon Gone|people\.test/);
    expect((await stage.client().auth.signUp({ email: person.email, password: goodPassword })).error).toBeNull();
    expect((await stage.lastMessage(person.email)).template).toBe("confirm_sign_up");
  });

  it("is refused to the last admin", async () => {
    const own = await openStage();
    try {
      const { call } = await own.as(await own.user({ role: "admin" }));
      expect((await call("POST", "/me/delete", {})).status).toBe(409);
    } finally {
      await own.close();
    }
  });
});
