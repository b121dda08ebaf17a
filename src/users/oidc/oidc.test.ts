import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { components } from "#app/components/probes/index.ts";
import { readConfig } from "#platform/config.ts";
import { freePorts } from "#test/free-ports.ts";
import { type AccountsApp, accountsApp, testPassword } from "#test/harness/accounts.ts";
import { clientSecret, makeBrowser, openProvider, type PersonThere } from "#test/harness/oidc/provider.ts";
import { activeAdmins } from "../roles/active-admins.ts";
import { authorizationUrl, newAttempt } from "./provider.ts";
import { oidcProblemMessage } from "./rules.ts";

let app: AccountsApp;
let site: string;
let port: number;
let provider: Awaited<ReturnType<typeof openProvider>>;
let count = 0;

const callback = () => `${site}/auth/v1/oidc/callback`;
const settings = () => ({
  OIDC_ISSUER: `http://127.0.0.1:${port}`,
  OIDC_CLIENT_ID: "stagedoor",
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_LABEL: "Example Corp",
  OIDC_ROLE_CLAIM: "groups",
  OIDC_ADMIN_VALUE: "stagedoor-admins",
});

beforeAll(async () => {
  const [own = 0, theirs = 0] = await freePorts(2);
  [site, port] = [`http://127.0.0.1:${own}`, theirs];
  app = await accountsApp({ PUBLIC_URL: site, ...settings() });
  await app.server.listen({ host: "127.0.0.1", port: own });
  provider = await openProvider(port, callback());
});
afterAll(async () => {
  await provider.close();
  await app.close();
});
beforeEach(() => void (count += 1));

const makePerson = (more: Record<string, unknown> = {}): PersonThere => ({
  subject: `subject-${count}`,
  claims: { email: `person-${count}@corp.test`, email_verified: true, name: "Robin Vale", ...more },
});

async function signIn(person: PersonThere | undefined, change?: (address: URL) => void, browser = makeBrowser()) {
  provider.signsIn(person);
  return { browser, ...(await browser.follow(`${site}/auth/v1/oidc/start`, change)) };
}

async function sessionIn(browser: ReturnType<typeof makeBrowser>) {
  const response = await browser.send(new URL(`${site}/auth/v1/token?grant_type=refresh_token`), {
    method: "POST",
    headers: { "x-token-mode": "cookie", "content-type": "application/json" },
    body: "{}",
  });
  return (await response.json()) as { access_token?: string; user?: { id: string; email: string } };
}
const meBy = (token = "") => app.json("/api/me", { token });
const roleOf = async (userId = "") =>
  (await app.db.selectFrom("profiles").select("role").where("user_id", "=", userId).executeTakeFirstOrThrow()).role;
const suspend = (email: string) =>
  app.db
    .updateTable("users")
    .set({ banned_until: new Date("9999-12-31T00:00:00Z") })
    .where("email", "=", email)
    .execute();

const returned = "/auth?returned=1";
const problem = (code: string) => `/auth?problem=${code}`;

describe("sign-in with an organization's account", () => {
  it("opens a new account for a verified address, and the same one later with another address", async () => {
    const first = await signIn(makePerson());
    expect(first.end).toBe(returned);
    const sent = first.way.find(({ port: at }) => at === String(port))?.searchParams;
    expect(Object.fromEntries(sent ?? [])).toMatchObject({
      redirect_uri: callback(),
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    const { user, access_token: token } = await sessionIn(first.browser);
    expect((await meBy(token)).body).toMatchObject({
      name: "Robin Vale",
      role: "promoter",
      emailVerified: true,
      hasPassword: false,
      assuranceLevel: "aal1",
    });
    const second = await signIn(makePerson({ email: `other-${count}@corp.test`, email_verified: false }));
    expect((await sessionIn(second.browser)).user).toMatchObject({ id: user?.id, email: `person-${count}@corp.test` });
  });

  it("is refused without a verified address, and an account with that address does not change", async () => {
    const owner = await app.user({ email: `person-${count}@corp.test` });
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email_verified: "true" }]) {
      const { end, browser } = await signIn(makePerson(claims));
      expect(end).toBe(problem("unverified"));
      expect((await sessionIn(browser)).access_token).toBeUndefined();
    }
    expect(await app.messagesTo(owner.email)).toEqual([]);
    const unusable = makePerson({ email: `person..${count}@corp.test` });
    expect((await signIn(unusable)).end).toBe(problem("unusable_email"));
    expect(oidcProblemMessage("unverified", "Example Corp")).toContain(
      "Example Corp has not verified your email address",
    );
  });

  it("accepts an address as verified only if one document of the provider reports both", async () => {
    const victim = await app.user({ email: `victim-${count}@corp.test` });
    const own = `person-${count}@corp.test`;
    const signInWith = async (idToken: Record<string, unknown>, claims: Record<string, unknown>) => {
      const { end, browser } = await signIn({ subject: `subject-${count}`, idToken, claims });
      return [end, (await sessionIn(browser)).user?.email];
    };
    const refused = [problem("unverified"), undefined];
    expect(await signInWith({ email: victim.email }, { email: own, email_verified: true })).toEqual(refused);
    expect(await signInWith({ email_verified: true }, { email: victim.email })).toEqual(refused);
    const contradicted = { email: own, email_verified: false };
    expect(await signInWith(contradicted, { email: own, email_verified: true })).toEqual(refused);
    expect(await app.messagesTo(victim.email)).toEqual([]);
    expect(await signInWith({ email: own }, { email: own, email_verified: true })).toEqual([returned, own]);
  });

  it("connects the account of the verified address, and its owner is notified and can undo it permanently", async () => {
    const owner = await app.user({ email: `person-${count}@corp.test` });
    const { browser } = await signIn(makePerson());
    expect((await sessionIn(browser)).user?.id).toBe(owner.id);
    const [notice] = await app.messagesTo(owner.email);
    expect(notice?.template).toBe("identity_added");
    const token = /token_hash=([\w-]+)/.exec(notice?.text ?? "")?.[1];
    const undone = await app.json("/api/account-changes/undo", { body: { token } });
    expect(undone.body).toMatchObject({ undone: ["identity_added"] });
    expect((await sessionIn(browser)).access_token).toBeUndefined();
    expect((await signIn(makePerson())).end).toBe(problem("disconnected"));
  });

  it("removes the password of an unconfirmed sign-up with the address", async () => {
    const email = `person-${count}@corp.test`;
    await app.user({ email, confirmed: false });
    expect((await signIn(makePerson())).end).toBe(returned);
    const { body } = await app.json("/auth/v1/token?grant_type=password", { body: { email, password: testPassword } });
    expect(body.code).toBe("invalid_credentials");
  });

  it("refuses a wrong state, a wrong nonce, another browser and a replayed code", async () => {
    const atCallback = (act: (address: URL) => void) => (address: URL) => {
      if (address.pathname === "/auth/v1/oidc/callback") act(address);
    };
    const wrongState = atCallback((address) => address.searchParams.set("state", "another"));
    expect((await signIn(makePerson(), wrongState)).end).toBe(problem("expired"));
    const wrongNonce = (address: URL) => {
      if (address.searchParams.has("nonce")) address.searchParams.set("nonce", "another");
    };
    expect((await signIn(makePerson(), wrongNonce)).end).toBe(problem("unverifiable"));
    const browser = makeBrowser();
    let kept = "";
    const keep = atCallback(() => void (kept = browser.jarOf(site).get("stagedoor_oidc") ?? ""));
    const { way, end } = await signIn(makePerson(), keep, browser);
    expect([end, kept === ""]).toEqual([returned, false]);
    const used = way.at(-1)?.href ?? "";
    expect((await makeBrowser().follow(used)).end).toBe(problem("expired"));
    expect((await browser.follow(used)).end).toBe(problem("expired"));
    browser.jarOf(site).set("stagedoor_oidc", kept);
    expect((await browser.follow(used)).end).toBe(problem("expired"));
  });

  it("reports a canceled sign-in and a suspended account as such", async () => {
    expect((await signIn(undefined)).end).toBe(problem("canceled"));
    await signIn(makePerson());
    await suspend(`person-${count}@corp.test`);
    expect((await signIn(makePerson())).end).toBe(problem("suspended"));
    count += 1;
    const { email } = await app.user({ email: `person-${count}@corp.test` });
    await suspend(email);
    expect((await signIn(makePerson())).end).toBe(problem("suspended"));
  });

  it("reports different clocks if the provider's is eleven minutes behind", async () => {
    provider.clockIsBehind(11);
    expect((await signIn(makePerson())).end).toBe(problem("clock"));
    provider.clockIsBehind(0);
    expect((await signIn(makePerson())).end).toBe(returned);
  });

  it("still requires the second factor of the account", async () => {
    const owner = await app.user({ email: `person-${count}@corp.test` });
    const now = new Date();
    await app.db
      .insertInto("factors")
      .values({ user_id: owner.id, secret: "encrypted", status: "verified", created_at: now, updated_at: now })
      .execute();
    const { access_token: token } = await sessionIn((await signIn(makePerson())).browser);
    expect(await meBy(token)).toMatchObject({ status: 401, body: { code: "insufficient_aal" } });
  });

  it("grants and revokes the role admin by the claim, but never of the last admin or of an admin by hand", async () => {
    const admin = { groups: ["staff", "stagedoor-admins"] };
    const { browser } = await signIn(makePerson(admin));
    const { user } = await sessionIn(browser);
    expect(await roleOf(user?.id)).toBe("admin");
    expect(await activeAdmins(app.db, new Date())).toHaveLength(1);
    await signIn(makePerson({ groups: ["staff"] }));
    expect(await roleOf(user?.id)).toBe("admin");
    expect((await app.messagesTo(user?.email ?? "")).map(({ text }) => text).join()).toMatch(/is the last\s+admin/);
    await app.user({ email: `by-hand-${count}@corp.test`, role: "admin" });
    await signIn(makePerson({ groups: "staff" }));
    expect(await roleOf(user?.id)).toBe("promoter");
    const byHand = {
      subject: `by-hand-${count}`,
      claims: { email: `by-hand-${count}@corp.test`, email_verified: true },
    };
    for (const claims of [admin, {}]) {
      const { user: other } = await sessionIn(
        (await signIn({ ...byHand, claims: { ...byHand.claims, ...claims } })).browser,
      );
      expect(await roleOf(other?.id)).toBe("admin");
    }
    // An admin revoked the role by hand: the unchanged claim does not grant it again.
    await signIn(makePerson(admin));
    expect(await roleOf(user?.id)).toBe("admin");
    await app.db
      .updateTable("profiles")
      .set({ role: "artist" })
      .where("user_id", "=", user?.id ?? "")
      .execute();
    await signIn(makePerson(admin));
    expect(await roleOf(user?.id)).toBe("artist");
  });

  it("signs in an unverified account that the claim names an admin, and grants the role once it is verified", async () => {
    const person = makePerson({ groups: ["stagedoor-admins"] });
    const { user } = await sessionIn((await signIn(makePerson())).browser);
    const verify = (at: Date | null) =>
      app.db
        .updateTable("users")
        .set({ email_confirmed_at: at })
        .where("id", "=", user?.id ?? "")
        .execute();
    await verify(null);
    const observer = await app.user({ email: `observer-${count}@corp.test`, role: "admin" });
    expect((await signIn(person)).end).toBe(returned);
    expect(await roleOf(user?.id)).toBe("promoter");
    expect((await app.messagesTo(observer.email)).map(({ text }) => text).join()).toMatch(
      /account\s+is\s+not\s+verified/,
    );
    await verify(new Date());
    expect((await signIn(person)).end).toBe(returned);
    expect(await roleOf(user?.id)).toBe("admin");
  });

  it("continues after the provider has changed its keys, and reports an unreachable or different provider", async () => {
    expect((await signIn(makePerson())).end).toBe(returned);
    await provider.close();
    const away = await makeBrowser().follow(`${site}/auth/v1/oidc/start`);
    expect(away.end).toBe(problem("unreachable"));
    await expect(components.single_sign_on.test(app.services, {})).rejects.toThrow("fetch failed");
    provider = await openProvider(port, callback());
    expect((await signIn(makePerson())).end).toBe(returned);
    expect(await components.single_sign_on.test(app.services, {})).toBe("The provider answers with its addresses.");
    const other = readConfig({ DEMO: "0", ...settings(), OIDC_ISSUER: `http://localhost:${port}` }).oidc;
    if (!other) throw new Error("no provider is configured");
    await expect(authorizationUrl({ publicUrl: site }, other, newAttempt())).rejects.toMatchObject({
      problem: "unverifiable",
    });
  });

  it("sends the secret as the provider accepts it, and reports a wrong one as such", async () => {
    const reopen = async (options?: Parameters<typeof openProvider>[2]) => {
      await provider.close();
      provider = await openProvider(port, callback(), options);
    };
    await reopen({ secretInBody: true });
    expect((await signIn(makePerson())).end).toBe(returned);
    for (const secretInBody of [true, false]) {
      await reopen({ secret: "another secret", secretInBody });
      expect((await signIn(makePerson())).end).toBe(problem("client_refused"));
    }
    await reopen();
  });

  it("reports a sign-in that the provider declined, and an unusable account, on the sign-in page", async () => {
    const refuse = (address: URL) => {
      if (address.searchParams.has("code")) address.searchParams.set("error", "login_required");
      address.searchParams.delete("code");
    };
    expect((await signIn(makePerson(), refuse)).end).toBe(problem("refused"));
    for (const subject of [`subject\0${count}`, `subject-${count}`.padEnd(256, "x")])
      expect((await signIn({ ...makePerson(), subject })).end).toBe(problem("unverifiable"));
    vi.spyOn(app.services.limits, "hit").mockRejectedValueOnce(new Error("an unexpected error"));
    expect((await signIn(makePerson())).end).toBe(problem("failed"));
  });

  it("is configured completely or not at all", () => {
    expect(() => readConfig({ OIDC_ISSUER: "https://id.example" })).toThrow("belong together");
    expect(() => readConfig({ ...settings(), GOTRUE_URL: "https://auth.example" })).toThrow("exclude each other");
    expect(() => readConfig({ ...settings(), OIDC_ISSUER: "http://id.example" })).toThrow("https://");
  });
});
