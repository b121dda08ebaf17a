import { beforeEach, describe, expect, it } from "vitest";
import { type AccountsApp, setUpAccounts } from "#test/harness/accounts.ts";
import { deleteAccount } from "../account/delete-account.ts";

const app = setUpAccounts();

const nobodyIsAdmin = () => app.db.updateTable("profiles").set({ role: "promoter" }).execute();
beforeEach(() => nobodyIsAdmin());

const makeAdmin = () => app.user({ role: "admin" });
type Caller = Awaited<ReturnType<AccountsApp["as"]>>;
const change = (id: string, columns: { banned_until?: Date; email_confirmed_at?: null; deleted_at?: Date }) =>
  app.db.updateTable("users").set(columns).where("id", "=", id).execute();

const ways: readonly [string, (self: Caller, id: string) => ReturnType<Caller["call"]>][] = [
  ["a change of their own role", (self, id) => self.call("POST", `/admin/users/${id}/role`, { role: "promoter" })],
  ["suspending themselves", (self, id) => self.call("POST", `/admin/users/${id}/suspend`, { reason: "tired" })],
  ["deleting themselves", (self) => self.call("POST", "/me/delete", {})],
];
const obstacle = async (self: Caller) => (await self.call("GET", "/me/deletion-obstacle")).body["obstacle"];

describe("last admin", () => {
  it.each([
    ["is missing", undefined],
    ["is suspended", { banned_until: new Date("9999-01-01") }],
    ["has not confirmed the mailbox", { email_confirmed_at: null }],
    ["is deleted", { deleted_at: new Date() }],
  ] as const)("is not removed while another admin %s, and can still act", async (_why, columns) => {
    const admin = await makeAdmin();
    if (columns) await change((await makeAdmin()).id, columns);
    const self = await app.as(admin);
    for (const [way, go] of ways) expect((await go(self, admin.id)).status, way).toBe(409);
    expect(await obstacle(self)).toBe("last_admin");
    expect((await self.call("GET", "/admin/users")).status).toBe(200);
  });

  it("may be removed once another admin can sign in, also after the end of a suspension, but not suspend themselves", async () => {
    for (const columns of [undefined, { banned_until: new Date("2001-01-01") }]) {
      await nobodyIsAdmin();
      const [admin, other] = [await makeAdmin(), await makeAdmin()];
      if (columns) await change(other.id, columns);
      const self = await app.as(admin);
      expect(await obstacle(self)).toBeNull();
      expect((await self.call("POST", `/admin/users/${admin.id}/suspend`, { reason: "tired" })).status).toBe(409);
      expect(await self.call("POST", `/admin/users/${admin.id}/role`, { role: "promoter" })).toMatchObject({
        status: 200,
        body: { role: "promoter" },
      });
      expect((await self.call("GET", "/admin/users")).status).toBe(403);
    }
  });

  it("cannot delete an account that became the last admin between the request and the lock", async () => {
    const { user, token } = await app.signedIn();
    const read = await app.authenticate(token);
    if (!read) throw new Error("nobody is signed in");
    await app.db.updateTable("profiles").set({ role: "admin" }).where("user_id", "=", user.id).execute();
    const personalDataTables: never[] = [];
    const work = app.database.transaction((tx) => deleteAccount(tx, { ...app.services, personalDataTables }, read));
    await expect(work).rejects.toMatchObject({ status: 409 });
  });

  it("is never removed in fifty concurrent attempts", async () => {
    const admins = [await makeAdmin(), await makeAdmin(), await makeAdmin()];
    const callers = await Promise.all(admins.map((admin) => app.as(admin)));
    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const target = `/admin/users/${admins[at % 3]?.id}`;
        const caller = callers[(at + 1) % 3];
        return at % 2
          ? caller?.call("POST", `${target}/role`, { role: "promoter" })
          : caller?.call("POST", `${target}/suspend`, { reason: "a race" });
      }),
    );
    expect(responses.every((response) => response && response.status < 500)).toBe(true);
    const left = await app.db
      .selectFrom("profiles")
      .innerJoin("users", "users.id", "profiles.user_id")
      .select("user_id")
      .where("role", "=", "admin")
      .where("banned_until", "is", null)
      .execute();
    expect(left.length).toBeGreaterThanOrEqual(1);
  });
});
