import { beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, setUpAccounts } from "#test/harness/accounts.ts";
import { openSession, upgradeSession } from "./sessions.store.ts";

const app = setUpAccounts();
let admin: Awaited<ReturnType<AccountsApp["as"]>>;
beforeAll(async () => {
  admin = await app.as(await app.user({ role: "admin" }));
});

type Session = { id: string; access: string; refresh: string; first: string };
type Person = { id: string; email: string };
type Cast = { person: Person; mine: Session; other: Session };
type End = "lives" | "dies";
/** `code`: how an access token is refused, if not by the session's absence. */
type Cause = {
  cause: string;
  mine: End;
  other: End;
  code?: string;
  strong?: boolean;
  act(cast: Cast): Promise<unknown>;
};

async function send(method: string, path: string, token: string | undefined, body?: object) {
  const response = await app.json(path, { method, ...(token ? { token } : {}), ...(body ? { body } : {}) });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return response.body;
}

const newPassword = "another lamp, another curtain";
const byAdmin = (command: string, body: object) => (cast: Cast) =>
  send("POST", `/api/admin/users/${cast.person.id}/${command}`, admin.token, body);
const logOut = (scope: string) => (cast: Cast) => send("POST", `/auth/v1/logout?scope=${scope}`, cast.mine.access);

async function recover({ person }: Cast): Promise<string> {
  await send("POST", "/auth/v1/recover", undefined, { email: person.email });
  const { token } = await app.lastMessage(person.email);
  const session = await send("POST", "/auth/v1/verify", undefined, { type: "recovery", token_hash: token });
  return session["access_token"] ?? "";
}

async function moveMailbox({ person, mine }: Cast): Promise<void> {
  const email = `moved-${person.email}`;
  await send("PUT", "/auth/v1/user", mine.access, { email });
  for (const to of [email, person.email]) {
    const { token } = await app.lastMessage(to);
    await send("POST", "/auth/v1/verify", undefined, { type: "email_change", token_hash: token });
  }
}

async function moveNumber({ mine }: Cast): Promise<void> {
  const phone = "+15125550908";
  await send("PUT", "/auth/v1/user", mine.access, { phone });
  const { code: token } = await app.lastMessage(phone);
  await send("POST", "/auth/v1/verify", undefined, { type: "phone_change", phone, token });
}

/** `mine` is the session that acts or is acted upon, `other` another one of the same user. Other users' sessions always continue. */
const causes: readonly Cause[] = [
  { cause: "signing out here", mine: "dies", other: "lives", act: logOut("local") },
  { cause: "signing out the others", mine: "lives", other: "dies", act: logOut("others") },
  { cause: "signing out everywhere", mine: "dies", other: "dies", act: logOut("global") },
  {
    cause: "ending another session on the Account page",
    mine: "lives",
    other: "dies",
    act: ({ mine, other }) => send("DELETE", `/api/me/sessions/${other.id}`, mine.access),
  },
  {
    cause: "a new password",
    mine: "lives",
    other: "dies",
    act: ({ mine }) => send("PUT", "/auth/v1/user", mine.access, { password: newPassword }),
  },
  { cause: "a recovery that sets nothing", mine: "lives", other: "lives", act: recover },
  {
    cause: "a recovery and a new password",
    mine: "dies",
    other: "dies",
    act: async (cast) => send("PUT", "/auth/v1/user", await recover(cast), { password: newPassword }),
  },
  {
    cause: "the first proof of the mailbox, by recovery",
    mine: "dies",
    other: "dies",
    act: async (cast) => {
      await app.db.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", cast.person.id).execute();
      await recover(cast);
    },
  },
  { cause: "another mailbox, to which both agreed", mine: "dies", other: "dies", act: moveMailbox },
  { cause: "another phone number", mine: "dies", other: "dies", act: moveNumber },
  {
    cause: "a removed phone number",
    mine: "lives",
    other: "dies",
    act: async ({ person, mine }) => {
      const phone = { phone: "15125550909", phone_confirmed_at: app.clock.now() };
      await app.db.updateTable("users").set(phone).where("id", "=", person.id).execute();
      await send("PUT", "/auth/v1/user", mine.access, { phone: "" });
    },
  },
  {
    cause: "another role",
    mine: "lives",
    other: "lives",
    act: async (cast) => {
      await byAdmin("role", { role: "artist" })(cast);
      for (const { access } of [cast.mine, cast.other])
        expect(await send("GET", "/api/me", access)).toMatchObject({ role: "artist" });
    },
  },
  {
    cause: "suspension",
    mine: "dies",
    other: "dies",
    code: "user_banned",
    act: byAdmin("suspend", { reason: "A test" }),
  },
  {
    cause: "suspension and restoration",
    mine: "dies",
    other: "dies",
    act: async (cast) => {
      await byAdmin("suspend", { reason: "A test" })(cast);
      await byAdmin("restore", {})(cast);
    },
  },
  {
    cause: "deletion of the account",
    mine: "dies",
    other: "dies",
    act: ({ mine }) => send("POST", "/api/me/delete", mine.access, {}),
  },
  {
    cause: "the second factor removed by an admin",
    mine: "dies",
    other: "dies",
    strong: true,
    act: byAdmin("reset-second-factor", { reason: "A test" }),
  },
  {
    cause: "a copy of its token",
    mine: "dies",
    other: "lives",
    act: ({ mine }) => presentRefresh(mine.first, "body"),
  },
];

async function open(person: Person, strong: boolean): Promise<Session> {
  const { services } = app;
  const { sessionId, refreshToken } = await services.database.transaction(async (tx) => {
    const opened = await openSession(tx, services, person.id, "password", { userAgent: null, ip: "192.0.2.7" });
    if (!strong) return opened;
    return upgradeSession(tx, services, { id: opened.sessionId, userId: person.id, amr: opened.amr }, "totp");
  });
  const once = await presentRefresh(refreshToken, "body");
  const twice = await presentRefresh(once.refresh, "body");
  return { id: sessionId, access: twice.access, refresh: twice.refresh, first: refreshToken };
}

type Presented = { code: string; access: string; refresh: string };

async function presentRefresh(token: string, way: "body" | "cookie"): Promise<Presented> {
  const cookie = { "x-token-mode": "cookie", cookie: `stagedoor_refresh=${token}` };
  const { body } = await app.json(
    "/auth/v1/token?grant_type=refresh_token",
    way === "cookie" ? { headers: cookie, body: {} } : { body: { refresh_token: token } },
  );
  return { code: body.code ?? "lives", access: body["access_token"] ?? "", refresh: body["refresh_token"] ?? "" };
}

const presentAccess = async (path: string, token: string) => (await app.json(path, { token })).body.code ?? "lives";

const ways = async ({ access, refresh }: Session) => ({
  "access token at /api": await presentAccess("/api/me", access),
  "access token at /auth/v1": await presentAccess("/auth/v1/user", access),
  "refresh cookie": (await presentRefresh(refresh, "cookie")).code,
  "refresh token in the body": (await presentRefresh(refresh, "body")).code,
});

const answersOf = (end: End, code = "session_not_found") => {
  const [access, refresh] = end === "lives" ? ["lives", "lives"] : [code, "refresh_token_not_found"];
  return {
    "access token at /api": access,
    "access token at /auth/v1": access,
    "refresh cookie": refresh,
    "refresh token in the body": refresh,
  };
};

describe("next request after", () => {
  it.each(causes)("$cause: this session $mine, the user's other one $other, another user's lives", async (row) => {
    const person = await app.user();
    if (row.strong)
      await app.db
        .insertInto("factors")
        .values({ user_id: person.id, status: "verified", secret: "of no use" })
        .execute();
    const stranger = await app.user();
    const sessions = {
      mine: await open(person, row.strong === true),
      other: await open(person, row.strong === true),
      strangers: await open(stranger, false),
    };
    for (const session of Object.values(sessions)) expect(await ways(session)).toEqual(answersOf("lives"));
    await row.act({ person, ...sessions });
    expect({
      mine: await ways(sessions.mine),
      other: await ways(sessions.other),
      strangers: await ways(sessions.strangers),
    }).toEqual({
      mine: answersOf(row.mine, row.code),
      other: answersOf(row.other, row.code),
      strangers: answersOf("lives"),
    });
  });
});
