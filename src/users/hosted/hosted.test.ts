import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findActor } from "../index.ts";
import { type Stage, goodPassword, openStage, sessionOf } from "#test/accounts-stage.ts";
import { codeAt } from "../factors/totp.ts";
import { makeStreams, watch } from "../live/streams.ts";

let service: Stage;
let stage: Stage;
beforeAll(async () => {
  service = await openStage();
  stage = await openStage({ GOTRUE_URL: `${await service.listen()}/auth/v1` });
});
afterAll(() => Promise.all([stage.close(), service.close()]));

const signIn = async (wish: Parameters<Stage["user"]>[0] = {}) => {
  const user = await service.user(wish);
  const browser = stage.client({ cookieMode: true });
  const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: goodPassword }));
  return { user, ...browser, session };
};
const profiles = () => stage.services.database.db.selectFrom("profiles");

describe("in front of a hosted service", () => {
  it("a person gets a profile at first sight, as promoter whatever the service says of them", async () => {
    const { user, session } = await signIn({ role: "admin", name: "Hosted Person" });
    expect(await findActor(stage.services, session.access_token)).toMatchObject({
      userId: user.id,
      role: "promoter",
      name: "Hosted Person",
      email: user.email,
      emailVerified: true,
    });
    await findActor(stage.services, session.access_token);
    expect(await profiles().select("user_id").where("user_id", "=", user.id).execute()).toHaveLength(1);
  });

  it("the refresh token stays in the cookie, and renews by it", async () => {
    const { jar, storage, session, auth } = await signIn();
    const kept = jar.get("stagedoor_refresh") ?? "";
    expect(kept.length).toBeGreaterThan(20);
    expect(JSON.stringify([session, ...storage])).not.toContain(kept);
    const renewed = sessionOf(await auth.refreshSession());
    expect(jar.get("stagedoor_refresh")).not.toBe(kept);
    expect(await findActor(stage.services, renewed.access_token)).not.toBeNull();
    await auth.signOut({ scope: "local" });
    expect([...jar.keys()]).toEqual([]);
  });

  it("a sign-out through this door is dead at the next request, one elsewhere within a minute", async () => {
    const here = await signIn();
    await findActor(stage.services, here.session.access_token);
    await here.auth.signOut({ scope: "global" });
    await expect(findActor(stage.services, here.session.access_token)).rejects.toMatchObject({
      code: "session_not_found",
    });
    const there = await signIn();
    await findActor(stage.services, there.session.access_token);
    await service.client().auth.admin.signOut(there.session.access_token, "global");
    stage.clock.advance(61_000);
    await expect(findActor(stage.services, there.session.access_token)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("an open stream ends at once with a sign-out through this door, and soon with one elsewhere", async () => {
    for (const way of ["here", "elsewhere"] as const) {
      const { auth, session } = await signIn();
      const pace = { sweepMs: 10, askAgainMs: way === "here" ? 60_000 : 40, beatMs: 60_000 };
      const streams = makeStreams(stage.services, pace);
      const actor = await findActor(stage.services, session.access_token);
      if (!actor) throw new Error("nobody is signed in");
      const stream = await streams.open(actor, session.access_token);
      const heard: string[] = [];
      const over = (async () => {
        for await (const { about } of watch(stream, streams, undefined)) heard.push(about);
      })();
      await (way === "here"
        ? auth.signOut({ scope: "local" })
        : service.client().auth.admin.signOut(session.access_token, "global"));
      await over;
      expect(heard).toEqual(["access"]);
      await streams.drain();
    }
  });

  it("role and suspension are ours and bite at once", async () => {
    const { user, session } = await signIn();
    await findActor(stage.services, session.access_token);
    await stage.services.database.db
      .updateTable("profiles")
      .set({ role: "artist" })
      .where("user_id", "=", user.id)
      .execute();
    expect(await findActor(stage.services, session.access_token)).toMatchObject({ role: "artist" });
    await stage.services.database.db
      .updateTable("users")
      .set({ banned_until: new Date("9999-01-01") })
      .where("id", "=", user.id)
      .execute();
    await expect(findActor(stage.services, session.access_token)).rejects.toMatchObject({ code: "user_banned" });
  });

  it("a second factor at the service is asked for here too", async () => {
    const { user, auth } = await signIn();
    const enrolled = await auth.mfa.enroll({ factorType: "totp" });
    if (enrolled.error) throw enrolled.error;
    await auth.mfa.challengeAndVerify({
      factorId: enrolled.data.id,
      code: codeAt(enrolled.data.totp.secret, service.services.clock.now()),
    });
    expect(await findActor(stage.services, (await auth.getSession()).data.session?.access_token)).toMatchObject({
      aal: "aal2",
    });
    const weak = sessionOf(await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }));
    await expect(findActor(stage.services, weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
  });

  it("a token of another key, and the service's own administration, are refused", async () => {
    const stranger = await openStage();
    try {
      const user = await stranger.user();
      const { access_token } = sessionOf(
        await stranger.client().auth.signInWithPassword({ email: user.email, password: goodPassword }),
      );
      await expect(findActor(stage.services, access_token)).rejects.toMatchObject({ code: "bad_jwt" });
    } finally {
      await stranger.close();
    }
    expect((await stage.send("/auth/v1/admin/users")).status).toBe(501);
  });

  it("an unreachable service is said so, as an error that clients try again", async () => {
    const alone = await openStage({ GOTRUE_URL: "http://127.0.0.1:9/auth/v1" });
    try {
      const { error } = await alone
        .client()
        .auth.signInWithPassword({ email: "a@people.test", password: goodPassword });
      expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
    } finally {
      await alone.close();
    }
  });
});
