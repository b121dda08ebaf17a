import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { type TestApp, testPassword, testApp } from "#test/test-app.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const address = () => `asks-${crypto.randomUUID().slice(0, 8)}@people.test`;
const signUp = async (email: string, role: string, browser = app.client()) => {
  const options = { data: { name: `${role} by name`, role } };
  const { error } = await browser.auth.signUp({ email, password: testPassword, options });
  expect(error).toBeNull();
  return browser;
};
const prove = async (browser: ReturnType<AccountsApp["client"]>, email: string) =>
  sessionOf(await browser.auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" }));
const isProviderCallInProgress = async (email: string) => {
  const admin = await app.as(await app.user({ role: "admin" }));
  return ((await admin.call("GET", "/admin/admin-requests")).body.items ?? []).some((item) => item["email"] === email);
};

describe("request to become an admin", () => {
  it("waits if the same browser signs up and verifies the mailbox, by the link or by the code", async () => {
    const [byLink, byCode] = [address(), address()];
    await prove(await signUp(byLink, "admin"), byLink);
    expect(await isProviderCallInProgress(byLink)).toBe(true);
    const browser = await signUp(byCode, "admin");
    const token = (await app.lastMessage(byCode)).code;
    sessionOf(await browser.auth.verifyOtp({ email: byCode, token, type: "signup" }));
    expect(await isProviderCallInProgress(byCode)).toBe(true);
  });

  it("is removed if the owner of the address signs up without it", async () => {
    const email = address();
    await signUp(email, "admin");
    await prove(await signUp(email, "promoter"), email);
    expect(await isProviderCallInProgress(email)).toBe(false);
  });

  it("is removed if the owner verifies the mailbox from another browser, by any email", async () => {
    const [linked, recovered] = [address(), address()];
    await signUp(linked, "admin");
    await prove(app.client(), linked);
    expect(await isProviderCallInProgress(linked)).toBe(false);
    await signUp(recovered, "admin");
    const browser = app.client();
    await browser.auth.resetPasswordForEmail(recovered);
    const token_hash = (await app.lastMessage(recovered)).token;
    sessionOf(await browser.auth.verifyOtp({ token_hash, type: "recovery" }));
    expect(await isProviderCallInProgress(recovered)).toBe(false);
  });

  it("is granted in demo mode, but not for a stranger", async () => {
    const own = await accountsApp({ DEMO: "1" }, app);
    const [email, mine] = [address(), address()];
    const options = { data: { role: "admin" } };
    await own.client().auth.signUp({ email, password: testPassword, options });
    const owner = own.client();
    const token_hash = (await own.lastMessage(email)).token;
    sessionOf(await owner.auth.verifyOtp({ token_hash, type: "signup" }));
    const browser = own.client();
    await browser.auth.signUp({ email: mine, password: testPassword, options });
    await prove(browser, mine);
    const rows = await app.services.database.db
      .selectFrom("profiles")
      .select(["email", "role"])
      .where("email", "in", [email, mine])
      .execute();
    expect(Object.fromEntries(rows.map((row) => [row.email, row.role]))).toEqual({
      [email]: "promoter",
      [mine]: "admin",
    });
    await own.close();
  });

  it("is reported to both sides if it is declined", async () => {
    const email = address();
    const session = await prove(await signUp(email, "admin"), email);
    const decider = await app.user({ role: "admin" });
    const admin = await app.as(decider);
    const refused = await admin.call("POST", `/admin/admin-requests/${session.user.id}`, { granted: false });
    expect(refused.status).toBe(200);
    expect(await app.lastMessage(email)).toMatchObject({ template: "admin_request_refused" });
    expect((await app.lastMessage(decider.email)).text).toContain(
      `You refused to make admin by name (${email}) an admin.`,
    );
    expect(await isProviderCallInProgress(email)).toBe(false);
  });
});

describe("whole app", () => {
  let fullApp: TestApp;
  beforeAll(async () => {
    fullApp = await testApp({ env: { DEMO: "0" } });
  });
  afterAll(() => fullApp.close());

  it("notifies every admin of a request once the mailbox is verified, and not before", async () => {
    const admin = await fullApp.make.user({ role: "admin" });
    const email = address();
    const data = { name: "Ada Input", role: "admin" };
    const signedUp = await fullApp.request("/auth/v1/signup", { body: { email, password: testPassword, data } });
    const cookie = signedUp.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const mails = (to: string) =>
      fullApp.database.db.selectFrom("messages").select(["template", "text"]).where("recipient", "=", to).execute();
    await fullApp.settle();
    expect(await mails(admin.email)).toEqual([]);
    const token_hash = /token_hash=([\w-]+)/.exec((await mails(email))[0]?.text ?? "")?.[1];
    await fullApp.request("/auth/v1/verify", { headers: { cookie }, body: { type: "signup", token_hash } });
    await fullApp.settle();
    expect(await mails(admin.email)).toEqual([
      { template: "request_waits", text: expect.stringContaining(`Ada Input (${email}) requests to become an admin.`) },
    ]);
  });

  it("does not assign an artist to a user who was suspended or demoted after the claim was granted", async () => {
    const { db } = fullApp.database;
    for (const become of ["suspended", "demoted", "artist"] as const) {
      const name = `Kept ${crypto.randomUUID().slice(0, 8)}`;
      const artist = await fullApp.make.artist({ name, userId: null });
      const person = await fullApp.make.user({ role: "artist", name });
      const headers = await fullApp.signIn(person);
      const body = { artistId: artist.id, evidence: "We play at the Waterworks every May." };
      const claim = (await (await fullApp.request("/api/me/claims", { headers, body })).json()) as { id: string };
      const admin = await fullApp.signIn(await fullApp.make.user({ role: "admin" }));
      await fullApp.request(`/api/admin/claims/${claim.id}`, { headers: admin, body: { granted: true } });
      if (become === "suspended")
        await db
          .updateTable("users")
          .set({ banned_until: new Date("9999-01-01") })
          .where("id", "=", person.id)
          .execute();
      if (become === "demoted")
        await db.updateTable("profiles").set({ role: "promoter" }).where("user_id", "=", person.id).execute();
      await fullApp.settle();
      const row = await db.selectFrom("artists").select("user_id").where("id", "=", artist.id).executeTakeFirst();
      expect(row?.user_id, become).toBe(become === "artist" ? person.id : null);
    }
  });
});
