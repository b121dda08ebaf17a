import { describe, expect, it } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts } from "#test/harness/accounts.ts";

const app = setUpAccounts();

type Renewed = { refresh_token: string; access_token: string; code?: string };
const renew = async (refresh_token: string) =>
  (await app.json<Renewed>("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token } })).body;
const newSession = async () => (await app.signedIn()).session;

describe("refresh token rotation", () => {
  it("returns the same child to parallel calls", async () => {
    const { refresh_token } = await newSession();
    const children = await Promise.all(Array.from({ length: 8 }, () => renew(refresh_token)));
    expect(new Set(children.map((child) => child.refresh_token)).size).toBe(1);
    expect(children[0]?.refresh_token).not.toBe(refresh_token);
  });

  it("notifies the client by its event, and retains the session's id", async () => {
    const { auth, events, token } = await app.signedIn();
    const { data } = await auth.refreshSession();
    expect(events).toContain("TOKEN_REFRESHED");
    const sessionId = (await app.authenticate(token))?.sessionId;
    expect(await app.authenticate(data.session?.access_token)).toMatchObject({ sessionId });
  });

  it("refuses a token that was never issued, and an empty one", async () => {
    for (const token of ["made-up", ""]) expect((await renew(token)).code).toBe("refresh_token_not_found");
  });

  it("ends the session of a reused ancestor, notifies its owner once, and leaves the other devices signed in", async () => {
    const { user, session: first } = await app.signedIn();
    const untouched = await app.client().signIn(user);
    const third = await renew((await renew(first.refresh_token)).refresh_token);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_already_used");
    for (const token of [first, third]) expect((await renew(token.refresh_token)).code).toBe("refresh_token_not_found");
    await expect(app.authenticate(third.access_token)).rejects.toMatchObject({ code: "session_not_found" });
    const text = expect.stringContaining("/auth/forgot");
    expect(await app.messagesTo(user.email)).toMatchObject([{ template: "session_stolen", text }]);
    expect((await renew(untouched.refresh_token)).code).toBeUndefined();
  });

  it("ends a session after 30 days without use, and extends a used one", async () => {
    const [used, idle] = [await newSession(), await newSession()];
    app.clock.advance(29 * dayMs);
    const renewed = await renew(used.refresh_token);
    app.clock.advance(2 * dayMs);
    expect((await renew(idle.refresh_token)).code).toBe("session_expired");
    expect((await renew(renewed.refresh_token)).code).toBeUndefined();
    await expect(app.authenticate(renewed.access_token)).rejects.toMatchObject({ code: "bad_jwt" });
  });

  it("stores the newest fifty tokens, and refuses an older one without ending the session", async () => {
    const first = await newSession();
    let newest = first.refresh_token;
    for (let turn = 0; turn < 60; turn++) newest = (await renew(newest)).refresh_token;
    await app.deleteExpired();
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_not_found");
    const child = await renew(newest);
    expect(child.code).toBeUndefined();
    const { sessionId = "" } = (await app.authenticate(child.access_token)) ?? {};
    const stored = app.db.selectFrom("refresh_tokens").select("seq").where("session_id", "=", sessionId);
    expect(await stored.execute()).toHaveLength(51);
  });
});
