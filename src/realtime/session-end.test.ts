/**
 * The session matrix: everything that ends a session or changes its user's permissions. The open stream ends within a second, the old token
 * and cookie are checked again at the next request, and other users' streams remain open.
 */

import { expect, test } from "vitest";
import { makeClient, sessionOf } from "#test/harness/accounts.ts";
import { streamTests } from "#test/harness/listening-app.ts";
import { codeAt } from "#test/harness/second-factor.ts";
import { quietFor } from "#test/harness/streams.ts";
import { testPassword, type TestApp } from "#test/test-app.ts";

let app: TestApp;
const { open } = streamTests((listening) => {
  app = listening;
});

type User = Awaited<ReturnType<TestApp["make"]["user"]>>;
type Browser = Awaited<ReturnType<typeof browserOf>>;

async function browserOf(user: { email: string }) {
  const { auth, jar } = makeClient((path, init) => app.request(path, init), { cookieMode: true });
  const session = sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
  const claims = JSON.parse(Buffer.from(session.access_token.split(".")[1] ?? "", "base64url").toString()) as {
    session_id: string;
  };
  const headers = { authorization: `Bearer ${session.access_token}` };
  const call = async (method: string, address: string, body?: object) => {
    const response = await app.request(address, { method, headers, ...(body ? { body } : {}) });
    expect([200, 204], await response.clone().text()).toContain(response.status);
  };
  return { auth, jar, headers, call, sessionId: claims.session_id };
}

const watching = ({ headers }: Pick<Browser, "headers">) => open(headers);

async function linkTo(email: string): Promise<string> {
  const { text } = await app.database.db
    .selectFrom("messages")
    .select("text")
    .where("recipient", "=", email)
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  return /token_hash=([\w-]+)/.exec(text)?.[1] ?? "";
}

type Setting = { user: User; here: Browser; there: Browser; admin: Browser };
type Row = {
  /** The action by or on a user who is signed in twice. The stream `here` must end. */
  does(setting: Setting): Promise<unknown>;
  /** True if the session `there` continues unchanged. */
  thereStays: boolean;
  /** The status of a request with the old token of `here`, and whether its cookie can still renew the session. */
  token?: number;
  cookieLives?: boolean;
};

const rows: Record<string, Row> = {
  "signing out here": { does: ({ here }) => here.auth.signOut({ scope: "local" }), thereStays: true },
  "signing out the others": { does: ({ there }) => there.auth.signOut({ scope: "others" }), thereStays: true },
  "signing out everywhere": { does: ({ there }) => there.auth.signOut({ scope: "global" }), thereStays: false },
  "ending one device from the list": {
    does: ({ here, there }) => there.call("DELETE", `/api/me/sessions/${here.sessionId}`),
    thereStays: true,
  },
  "a copy of the cookie is used": { does: ({ here }) => useACopy(here), thereStays: true },
  "a change of password": {
    does: ({ there }) => there.auth.updateUser({ password: "another door behind the curtain" }),
    thereStays: true,
  },
  "recovery through a mailbox that was not proven": {
    does: async ({ user }) => {
      await app.database.db.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", user.id).execute();
      const { auth } = makeClient((path, init) => app.request(path, init), {});
      await auth.resetPasswordForEmail(user.email);
      sessionOf(await auth.verifyOtp({ token_hash: await linkTo(user.email), type: "recovery" }));
    },
    thereStays: false,
  },
  suspension: {
    does: ({ user, admin }) => admin.call("POST", `/api/admin/users/${user.id}/suspend`, { reason: "Said once." }),
    thereStays: false,
  },
  deletion: {
    does: ({ there }) => there.call("POST", "/api/me/delete", { password: testPassword }),
    thereStays: false,
  },
  "a change of role": {
    does: ({ user, admin }) => admin.call("POST", `/api/admin/users/${user.id}/role`, { role: "artist" }),
    thereStays: false,
    token: 200,
    cookieLives: true,
  },
  "a second factor is set up elsewhere": {
    does: ({ there }) => setUpFactor(there),
    thereStays: false,
  },
  "an admin removes the second factor": {
    does: async ({ user, admin }) => {
      // A verified factor would prevent watching with the password only.
      await app.database.transaction((tx) =>
        tx
          .insertInto("factors")
          .values({ user_id: user.id, friendly_name: "lost", status: "unverified", secret: "-" })
          .execute(),
      );
      await admin.call("POST", `/api/admin/users/${user.id}/reset-second-factor`, { reason: "The phone is lost." });
    },
    thereStays: false,
  },
};

async function useACopy(here: Browser): Promise<void> {
  const cookie = () => [...here.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const first = cookie();
  for (let time = 0; time < 2; time++) sessionOf(await here.auth.refreshSession({ refresh_token: "cookie" }));
  const response = await app.request("/auth/v1/token?grant_type=refresh_token", {
    headers: { cookie: first, "x-token-mode": "cookie" },
    body: {},
  });
  expect(response.status).toBe(400);
}

async function setUpFactor({ auth }: Browser): Promise<void> {
  const enrolled = await auth.mfa.enroll({ factorType: "totp", friendlyName: "phone" });
  if (enrolled.error) throw enrolled.error;
  const code = codeAt(enrolled.data.totp.secret, app.clock.now());
  const { error } = await auth.mfa.challengeAndVerify({ factorId: enrolled.data.id, code });
  if (error) throw error;
}

test.each(Object.entries(rows))(
  "ends the open stream and checks the session again: %s",
  async (_name, { does, thereStays, token = 401, cookieLives = false }) => {
    const user = await app.make.user();
    const [here, there] = [await browserOf(user), await browserOf(user)];
    const admin = await browserOf(await app.make.user({ role: "admin" }));
    const stranger = await browserOf(await app.make.user());
    const [stream, other, strangers] = [await watching(here), await watching(there), await watching(stranger)];
    await does({ user, here, there, admin });
    await stream.ends();
    expect(stream.heard.at(-1)).toBe("access");
    if (thereStays) await quietFor();
    else await other.ends();

    const status = async ({ headers }: Browser) => (await app.request("/api/me", { headers })).status;
    expect(await status(here)).toBe(token);
    const renewed = await here.auth.refreshSession({ refresh_token: "cookie" });
    expect(renewed.data.session !== null).toBe(cookieLives);
    expect(other.isOver()).toBe(!thereStays);
    if (thereStays) expect(await status(there)).toBe(200);
    expect([strangers.isOver(), strangers.heard, await status(stranger)]).toEqual([false, [], 200]);
  },
);

test("ends the other sessions after a change of address, and signs in the new address by the confirming link", async () => {
  const user = await app.make.user();
  const [here, there] = [await browserOf(user), await browserOf(user)];
  const ending = await watching(here);
  const wanted = `new-${user.email}`;
  await there.auth.updateUser({ email: wanted });
  const [fromOld, fromNew] = [await linkTo(user.email), await linkTo(wanted)];
  await there.auth.verifyOtp({ token_hash: fromOld, type: "email_change" });
  const { access_token: token } = sessionOf(await there.auth.verifyOtp({ token_hash: fromNew, type: "email_change" }));
  await ending.ends();
  expect((await app.request("/api/me", { headers: here.headers })).status).toBe(401);
  const me = await app.request("/api/me", { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ email: wanted });
});
