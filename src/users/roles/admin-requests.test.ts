import { describe, expect, it } from "vitest";
import { accountsApp, sessionOf, setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();

const address = () => `asks-${crypto.randomUUID().slice(0, 8)}@people.test`;
const signUp = async (email: string, role: string, browser = app.client()) => {
  const options = { data: { name: `${role} by name`, role } };
  const { error } = await browser.auth.signUp({ email, password: testPassword, options });
  expect(error).toBeNull();
  return browser;
};
const prove = async ({ auth }: ReturnType<typeof app.client>, email: string) =>
  sessionOf(await auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" }));
const isOpen = async (email: string) => {
  const admin = await app.as(await app.user({ role: "admin" }));
  return ((await admin.call("GET", "/admin/admin-requests")).body.items ?? []).some((item) => item["email"] === email);
};

describe("request to become an admin", () => {
  it("waits if the same browser signs up and verifies the mailbox, by the link or by the code", async () => {
    const [byLink, byCode] = [address(), address()];
    await prove(await signUp(byLink, "admin"), byLink);
    expect(await isOpen(byLink)).toBe(true);
    const browser = await signUp(byCode, "admin");
    const token = (await app.lastMessage(byCode)).code;
    sessionOf(await browser.auth.verifyOtp({ email: byCode, token, type: "signup" }));
    expect(await isOpen(byCode)).toBe(true);
  });

  it("is removed if the owner of the address signs up without it", async () => {
    const email = address();
    await signUp(email, "admin");
    await prove(await signUp(email, "promoter"), email);
    expect(await isOpen(email)).toBe(false);
  });

  it("is removed if the owner verifies the mailbox from another browser, by any email", async () => {
    const [linked, recovered] = [address(), address()];
    await signUp(linked, "admin");
    await prove(app.client(), linked);
    expect(await isOpen(linked)).toBe(false);
    await signUp(recovered, "admin");
    await app.recover(recovered);
    expect(await isOpen(recovered)).toBe(false);
  });

  it("is granted in demo mode, but not for a stranger", async () => {
    const demo = await accountsApp({ DEMO: "1" }, app);
    const [email, mine] = [address(), address()];
    await signUp(email, "admin", demo.client());
    await prove(demo.client(), email);
    await prove(await signUp(mine, "admin", demo.client()), mine);
    const roles = app.db
      .selectFrom("profiles")
      .select("role")
      .where("email", "in", [email, mine])
      .orderBy("created_at");
    expect(await roles.execute()).toEqual([{ role: "promoter" }, { role: "admin" }]);
    await demo.close();
  });

  it("is reported to every admin once the mailbox is verified, and to both sides if it is declined", async () => {
    // Handles the events of the other tests.
    await app.settle();
    const email = address();
    const decider = await app.user({ role: "admin" });
    const browser = await signUp(email, "admin");
    await app.settle();
    expect(await app.messagesTo(decider.email)).toEqual([]);
    const { user } = await prove(browser, email);
    await app.settle();
    const [notice, ...others] = await app.messagesTo(decider.email);
    expect([notice?.template, others]).toEqual(["request_waits", []]);
    expect(notice?.text.replaceAll(/\s+/g, " ")).toContain(`admin by name (${email}) requests to become an admin.`);
    const admin = await app.as(decider);
    const refused = await admin.call("POST", `/admin/admin-requests/${user.id}`, { granted: false });
    expect(refused.status).toBe(200);
    expect((await app.lastMessage(email)).template).toBe("admin_request_refused");
    const text = `You refused to make admin by name (${email}) an admin.`;
    expect((await app.lastMessage(decider.email)).text).toContain(text);
    expect(await isOpen(email)).toBe(false);
  });
});
