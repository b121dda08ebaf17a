import { describe, expect, it, onTestFinished, vi } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { makeStreams, watch } from "#realtime/index.ts";
import { type Double } from "#test/gotrue/double.ts";
import { hostedTests } from "#test/gotrue/hosted.ts";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";
import { streamAuth } from "../../authentication/authenticate.ts";

let service: Double;
let app: AccountsApp;
/** Another process of the same installation. */
let beside: AccountsApp;
const { signIn, signInAdmin, again, call, isAlive, db } = hostedTests((apps) => ({ service, app, beside } = apps));
const now = () => app.clock.now();

describe("session at a hosted service", () => {
  it("stays ended after its owner ends it from another device, in every process, and for its refresh token", async () => {
    const here = await signIn();
    const there = await again(here.email);
    const sessionId = (await app.authenticate(there.token))?.sessionId ?? "";
    expect((await call(here.token, "DELETE", `/me/sessions/${sessionId}`)).status).toBe(200);
    expect([await isAlive(there.token), await isAlive(there.token, beside)]).toEqual([false, false]);
    app.clock.advance(61_000);
    expect([await isAlive(there.token), await isAlive(there.token, beside)]).toEqual([false, false]);
    expect((await there.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    expect(there.jar.has("stagedoor_refresh")).toBe(false);
    expect(service.livingSessions(here.email)).toBe(1);
    expect(await isAlive(here.token)).toBe(true);
  });

  it("stays ended when only its refresh token is presented, for as long as it could live", async () => {
    const here = await signIn();
    const there = await again(here.email);
    const id = (await app.authenticate(there.token))?.sessionId ?? "";
    await call(here.token, "DELETE", `/me/sessions/${id}`);
    expect((await there.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    const mark = await db().selectFrom("ended_sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(mark.notified).toBe(true);
    expect(mark.expires_at.getTime() - now().getTime()).toBeGreaterThan(180 * dayMs);
  });

  it("ends after 180 days", async () => {
    const { auth, token } = await signIn();
    app.clock.advance(181 * dayMs);
    expect(await isAlive(token).catch(() => false)).toBe(false);
    expect((await auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  it.each(["global", "others"] as const)(
    "ends by a sign-out of scope %s, immediately and in every process",
    async (scope) => {
      const here = await signIn();
      const others = [await again(here.email), await again(here.email, beside)];
      for (const one of others) expect(await isAlive(one.token, beside)).toBe(true);
      await here.auth.signOut({ scope });
      for (const one of others) {
        expect([await isAlive(one.token), await isAlive(one.token, beside)]).toEqual([false, false]);
        expect((await one.auth.refreshSession()).error).not.toBeNull();
      }
      expect(await isAlive(here.token)).toBe(scope === "others");
    },
  );

  it("ends by a new password for all others immediately, and by the service within a minute", async () => {
    const here = await signIn();
    const there = await again(here.email);
    expect(await isAlive(there.token, beside)).toBe(true);
    await here.auth.updateUser({ password: "another quiet lamp" });
    expect([await isAlive(there.token, beside), await isAlive(here.token)]).toEqual([false, true]);
    await service.fetch("/auth/v1/logout?scope=global", {
      method: "POST",
      headers: { authorization: `Bearer ${here.token}` },
    });
    app.clock.advance(61_000);
    expect(await isAlive(here.token)).toBe(false);
  });

  it("ends by deletion and by suspension, and the next sign-in to a deleted account returns that reason", async () => {
    const gone = await signIn();
    expect((await call(gone.token, "POST", "/me/delete", { password: testPassword })).status).toBe(200);
    expect(await isAlive(gone.token, beside)).toBe(false);
    const back = await app.client().auth.signInWithPassword({ email: gone.email, password: testPassword });
    expect(back.error).toMatchObject({ status: 403, message: "This account was deleted here." });
    const { person, token } = await signIn();
    const admin = await signInAdmin();
    await call(admin.token, "POST", `/admin/users/${person.id}/suspend`, { reason: "fraud" });
    await call(admin.token, "POST", `/admin/users/${person.id}/restore`);
    expect(await isAlive(token)).toBe(false);
  });

  it("ends open streams: immediately by a sign-out through our endpoints, soon by one elsewhere", async () => {
    for (const way of ["here", "elsewhere"] as const) {
      const { auth, token } = await signIn();
      const intervals = { sweepMs: 10, reauthenticateMs: way === "here" ? 60_000 : 40, beatMs: 60_000, requestMs: 0 };
      const streams = makeStreams(app.services, streamAuth(app.services), intervals);
      const actor = await app.authenticate(token);
      if (!actor) throw new Error("nobody is signed in");
      const stream = await streams.open(actor, token);
      const heard: string[] = [];
      const over = (async () => {
        for await (const { about } of watch(stream, streams, undefined)) heard.push(about);
      })();
      if (way === "here") await auth.signOut({ scope: "local" });
      else {
        const headers = { authorization: `Bearer ${token}` };
        await service.fetch("/auth/v1/logout?scope=global", { method: "POST", headers });
        app.clock.advance(61_000);
      }
      await over;
      expect(heard).toEqual(["access"]);
      await streams.drain();
    }
  });

  it("continues while the service is unreachable", async () => {
    const { token } = await signIn();
    const busy = await accountsApp({ GOTRUE_URL: "http://127.0.0.1:9/auth/v1", GOTRUE_ISSUER: service.url }, beside);
    app.clock.advance(61_000);
    await expect(busy.authenticate(token)).rejects.toMatchObject({ status: 503 });
    await busy.close();
    expect(await isAlive(token)).toBe(true);
  });

  /** Replaces the next responses of the service to a call by `answer`. */
  function intercept(path: string, answer: (real: () => Promise<Response>) => Promise<Response>) {
    const { fetch } = globalThis;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
      const real = () => fetch(url, init);
      return new URL(String(url)).pathname === `/auth/v1${path}` ? answer(real) : real();
    });
    onTestFinished(() => spy.mockRestore());
    return spy;
  }

  it.each([
    [404, { message: "no Route matched with those values" }],
    [403, { message: "You cannot consume this service" }],
    [200, { status: "ok" }],
  ])("continues when a gateway answers %i for the service", async (status, body) => {
    const { token } = await signIn();
    app.clock.advance(61_000);
    const gateway = intercept("/user", async () => Response.json(body, { status }));
    await expect(app.authenticate(token)).rejects.toMatchObject({ status: 503 });
    gateway.mockRestore();
    expect(await isAlive(token)).toBe(true);
  });

  it("is ended at the service again after a gateway answered for it", async () => {
    const here = await signIn();
    const there = await again(here.email);
    const id = (await app.authenticate(there.token))?.sessionId ?? "";
    await call(here.token, "DELETE", `/me/sessions/${id}`);
    const gateway = intercept("/logout", async () => Response.json({ message: "no Route" }, { status: 404 }));
    expect(await isAlive(there.token)).toBe(false);
    gateway.mockRestore();
    expect(service.livingSessions(here.email)).toBe(2);
    expect(await isAlive(there.token)).toBe(false);
    expect(service.livingSessions(here.email)).toBe(1);
  });

  it("does not restore a former address by an earlier answer of the service", async () => {
    const { token, person, email } = await signIn();
    app.clock.advance(61_000);
    const [answered, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = intercept("/user", async (real) => {
      const response = await real();
      answered.resolve();
      await stored.promise;
      return response;
    });
    const first = app.authenticate(token);
    await answered.promise;
    held.mockRestore();
    person.email = `new-${email}`;
    await beside.authenticate(token);
    stored.resolve();
    await first;
    const row = db().selectFrom("users").select("email").where("id", "=", person.id);
    expect(await row.executeTakeFirst()).toEqual({ email: `new-${email}` });
  });
});
