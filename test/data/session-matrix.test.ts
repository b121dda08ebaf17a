/** Every guarded endpoint with every kind of session that is no longer sufficient. Generated from the contract. */

import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { addressOf, type Endpoint, endpoints } from "./endpoints.ts";

type Role = "admin" | "artist" | "promoter";
type Person = { id: string; email: string; authorization: string };

const app = closeAfterFile(await testApp());

const guarded = endpoints().filter(({ access }) => access !== "public");
/** Returns the role of an endpoint. A promoter calls those for any role. */
const roleFor = ({ access }: Endpoint): Role =>
  access === "admin" || access === "artist" || access === "promoter" ? access : "promoter";

async function signedIn(role: Role): Promise<Person> {
  const user = await app.make.user({ role });
  return { ...user, ...(await app.signIn(user)) };
}

const post = (person: Person, path: string, body: object) =>
  app.request(path, { method: "POST", headers: { authorization: person.authorization }, body });

async function byAdmin(person: Person, command: string, body: object): Promise<void> {
  const response = await post(await signedIn("admin"), `/api/admin/users/${person.id}/${command}`, body);
  expect(response.status, await response.text()).toBe(200);
}

const change = (person: Person, columns: { banned_until: Date } | { email_confirmed_at: null }) =>
  app.database.db.updateTable("users").set(columns).where("id", "=", person.id).execute();

type ExpectedError = readonly [status: number, code: string];
type SessionChange = { what: string; become(person: Person, role: Role): Promise<unknown>; expected: ExpectedError };

const sessionChanges: readonly SessionChange[] = [
  {
    what: "the second factor is still to come",
    become: ({ id }) =>
      app.database.db.insertInto("factors").values({ user_id: id, status: "verified", secret: "of no use" }).execute(),
    expected: [401, "insufficient_aal"],
  },
  {
    what: "suspended by an admin",
    become: (person) => byAdmin(person, "suspend", { reason: "A test" }),
    expected: [401, "user_banned"],
  },
  {
    what: "banned while the session is still there",
    become: (person) => change(person, { banned_until: new Date("9999-01-01") }),
    expected: [401, "user_banned"],
  },
  {
    what: "deleted by themselves",
    become: async (person) => {
      await signedIn("admin");
      expect((await post(person, "/api/me/delete", {})).status).toBe(200);
    },
    expected: [401, "session_not_found"],
  },
  {
    what: "signed out",
    become: (person) => post(person, "/auth/v1/logout?scope=local", {}),
    expected: [401, "session_not_found"],
  },
];

/** Calls an endpoint without an effect: its body is invalid, but validated only after the access check. An open stream would never respond. */
async function knock(endpoint: Endpoint, person: Person, body: object = { nothingThatExists: true }) {
  const response = await app.request(`${addressOf(endpoint)}${endpoint.streams ? "?nothingThatExists=true" : ""}`, {
    method: endpoint.method,
    headers: { authorization: person.authorization },
    ...(endpoint.method === "GET" ? {} : { body }),
  });
  const { code = "" } = (await response.json()) as { code?: string };
  return [response.status, code] as const;
}

const callAll = async (person: Person, all: readonly Endpoint[]) =>
  Object.fromEntries(
    await Promise.all(all.map(async (one) => [one.operationId, await knock(one, person)] as const)),
  ) as Record<string, readonly [number, string]>;

const roles = ["admin", "artist", "promoter"] as const;
const endpointsOf = (role: Role) => guarded.filter((endpoint) => roleFor(endpoint) === role);

test("finds guarded endpoints for every role", () => {
  for (const role of roles) expect(endpointsOf(role).length, role).toBeGreaterThan(3);
});

describe.each(sessionChanges)("$what", ({ become, expected }) => {
  test.each(roles)("refuses every endpoint to a former %s", async (role) => {
    const person = await signedIn(role);
    const before = await callAll(person, endpointsOf(role));
    for (const [status] of Object.values(before)) expect([401, 403]).not.toContain(status);
    await become(person, role);
    const after = await callAll(person, endpointsOf(role));
    expect(after).toEqual(Object.fromEntries(endpointsOf(role).map(({ operationId }) => [operationId, expected])));
  });
});

test.each([
  ["admin", "promoter"],
  ["artist", "promoter"],
  ["promoter", "artist"],
] as const)(
  "refuses the old role's endpoints to a former %s who is %s, and serves the new role's",
  async (old, now) => {
    const person = await signedIn(old);
    await byAdmin(person, "role", { role: now });
    const own = (role: Role) => guarded.filter(({ access }) => access === role);
    for (const [name, response] of Object.entries(await callAll(person, own(old))))
      expect(response, name).toEqual([403, "forbidden"]);
    const open = [...own(now), ...guarded.filter(({ access }) => access === "signed-in")];
    for (const [name, [status]] of Object.entries(await callAll(person, open)))
      expect([401, 403], name).not.toContain(status);
  },
);

/** Calls that require a verified mailbox, with a body that is valid up to this check. */
const forProvenMailboxes: Record<string, object> = {
  claimProfile: {
    artistId: "00000000-0000-4000-8000-000000000000",
    evidence: "I can be found on the band's own page.",
  },
};

test.each(roles)("serves %s with an unverified mailbox except where a verified one is required", async (role) => {
  const person = await signedIn(role);
  await change(person, { email_confirmed_at: null });
  for (const endpoint of endpointsOf(role)) {
    const body = forProvenMailboxes[endpoint.operationId];
    const [status] = await knock(endpoint, person, body);
    if (body) expect(status, endpoint.operationId).toBe(403);
    else expect([401, 403], endpoint.operationId).not.toContain(status);
  }
});
