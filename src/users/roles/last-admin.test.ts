import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AccountsApp, accountsApp } from "#test/harness/accounts.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
beforeEach(() => nobodyIsAdmin());
afterAll(() => app.close());

const nobodyIsAdmin = () => app.services.database.db.updateTable("profiles").set({ role: "promoter" }).execute();

type Caller = Awaited<ReturnType<AccountsApp["as"]>>;
const change = (id: string, columns: { banned_until?: Date; email_confirmed_at?: null; deleted_at?: Date }) =>
  app.services.database.db.updateTable("users").set(columns).where("id", "=", id).execute();

const ways: readonly [string, (self: Caller, id: string) => ReturnType<Caller["call"]>][] = [
  ["a change of their own role", (self, id) => self.call("POST", `/admin/users/${id}/role`, { role: "promoter" })],
  ["suspending themselves", (self, id) => self.call("POST", `/admin/users/${id}/suspend`, { reason: "tired" })],
  ["deleting themselves", (self) => self.call("POST", "/me/delete", {})],
];

describe("last admin", () => {
  it.each(ways)("is not removed by %s, and can still act", async (_way, go) => {
    const admin = await app.user({ role: "admin" });
    await app.user({ role: "promoter" });
    const self = await app.as(admin);
    const response = await go(self, admin.id);
    expect(response.status).toBe(409);
    expect((await (await app.as(admin)).call("GET", "/admin/users")).status).toBe(200);
  });

  it.each([
    ["is suspended", { banned_until: new Date("9999-01-01") }],
    ["has not confirmed the mailbox", { email_confirmed_at: null }],
    ["is deleted", { deleted_at: new Date() }],
  ] as const)("is not removed while another admin %s", async (_why, columns) => {
    const [admin, other] = [await app.user({ role: "admin" }), await app.user({ role: "admin" })];
    await change(other.id, columns);
    const self = await app.as(admin);
    for (const [way, go] of ways) expect((await go(self, admin.id)).status, way).toBe(409);
  });

  it("may be removed once another admin can sign in, also after the end of a suspension", async () => {
    for (const columns of [{}, { banned_until: new Date("2001-01-01") }]) {
      await nobodyIsAdmin();
      const [admin, other] = [await app.user({ role: "admin" }), await app.user({ role: "admin" })];
      if ("banned_until" in columns) await change(other.id, columns);
      const self = await app.as(admin);
      expect(await self.call("POST", `/admin/users/${admin.id}/role`, { role: "promoter" })).toMatchObject({
        status: 200,
        body: { role: "promoter" },
      });
      expect((await self.call("GET", "/admin/users")).status).toBe(403);
    }
  });
});
