import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../index.ts";
import { usersJobs } from "../jobs.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { dayMs } from "#platform/time/durations.rules.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const headers = { "content-type": "application/json" };
type Renewed = { refresh_token: string; access_token: string; code?: string };

async function renew(token: string): Promise<Renewed> {
  const response = await app.send("/auth/v1/token?grant_type=refresh_token", {
    method: "POST",
    headers,
    body: JSON.stringify({ refresh_token: token }),
  });
  return (await response.json()) as Renewed;
}

async function newSession() {
  const user = await app.user();
  return sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }));
}

describe("refresh token rotation", () => {
  it("returns the same child to parallel calls", async () => {
    const { refresh_token } = await newSession();
    const children = await Promise.all(Array.from({ length: 8 }, () => renew(refresh_token)));
    expect(new Set(children.map((child) => child.refresh_token)).size).toBe(1);
    expect(children[0]?.refresh_token).not.toBe(refresh_token);
  });

  it("notifies the client by its event, and retains the session's id", async () => {
    const user = await app.user();
    const { auth, events } = app.client();
    const before = sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
    const after = sessionOf(await auth.refreshSession());
    expect(events).toContain("TOKEN_REFRESHED");
    const [old, fresh] = await Promise.all(
      [before, after].map((session) => authenticate(app.services, session.access_token)),
    );
    expect(old?.sessionId).toBe(fresh?.sessionId);
  });

  it("refuses a token that was never issued, and an empty one", async () => {
    expect((await renew("made-up")).code).toBe("refresh_token_not_found");
    expect((await renew("")).code).toBe("refresh_token_not_found");
  });

  it("revokes the session when an older ancestor token is reused", async () => {
    const first = await newSession();
    const second = await renew(first.refresh_token);
    const third = await renew(second.refresh_token);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_already_used");
    expect((await renew(third.refresh_token)).code).toBe("refresh_token_not_found");
    await expect(authenticate(app.services, third.access_token)).rejects.toMatchObject({ code: "session_not_found" });
  });

  it("notifies the owner of a stolen session by email, once, and leaves the other devices signed in", async () => {
    const user = await app.user();
    const signIn = async () =>
      sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }));
    const [first, untouched] = [await signIn(), await signIn()];
    await renew((await renew(first.refresh_token)).refresh_token);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_already_used");
    await renew(first.refresh_token);
    const messages = await app.services.database.db
      .selectFrom("messages")
      .select(["template", "text"])
      .where("recipient", "=", user.email)
      .execute();
    expect(messages.map(({ template }) => template)).toEqual(["session_stolen"]);
    expect(messages[0]?.text).toContain("/auth/forgot");
    expect((await renew(untouched.refresh_token)).code).toBeUndefined();
  });

  it("ends a session after 30 days without use, and extends a used one", async () => {
    const used = await newSession();
    const idle = await newSession();
    app.clock.advance(29 * dayMs);
    const renewed = await renew(used.refresh_token);
    app.clock.advance(2 * dayMs);
    expect((await renew(idle.refresh_token)).code).toBe("session_expired");
    expect((await renew(renewed.refresh_token)).code).toBeUndefined();
    await expect(authenticate(app.services, renewed.access_token)).rejects.toMatchObject({ code: "bad_jwt" });
  });
});

describe("token chain", () => {
  it("stores the newest fifty tokens, and refuses an older one without ending the session", async () => {
    const first = await newSession();
    let newest = first.refresh_token;
    for (let turn = 0; turn < 60; turn++) newest = (await renew(newest)).refresh_token;
    const job = usersJobs.find(({ name }) => name === "forget-ended-sessions");
    await job?.run(app.services);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_not_found");
    const child = await renew(newest);
    expect(child.code).toBeUndefined();
    const { count } = await app.services.database.db
      .selectFrom("refresh_tokens")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("session_id", "=", (await authenticate(app.services, child.access_token))?.sessionId ?? "")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(51);
  });
});
