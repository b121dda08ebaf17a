import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll } from "vitest";
import { authenticate } from "#users/index.ts";
import { type AccountsApp, accountsApp, sessionOf, testPassword } from "../harness/accounts.ts";
import { type Double, gotrueDouble } from "./double.ts";

type Input = Partial<Parameters<Double["confirmed"]>[0]>;

/** Opens two processes of one installation with a hosted service. */
export async function hostedApps() {
  let app: AccountsApp | undefined;
  const service = await gotrueDouble({ now: () => app?.clock.now() ?? new Date() });
  app = await accountsApp({ GOTRUE_URL: service.url });
  const beside = await accountsApp({ GOTRUE_URL: service.url }, app);
  const close = async () => {
    await beside.close();
    await app?.close();
    await service.close();
  };
  return { service, app, beside, close };
}

export function hostedPeople(parts: () => { service: Double; app: AccountsApp }) {
  async function signIn(input: Input = {}) {
    const email = input.email ?? `hosted-${crypto.randomUUID().slice(0, 8)}@people.test`;
    const person = parts().service.confirmed({ email, password: testPassword, ...input });
    const browser = parts().app.client({ cookieMode: true });
    const session = sessionOf(await browser.auth.signInWithPassword({ email, password: testPassword }));
    return { person, email, ...browser, session, token: session.access_token };
  }
  /** Signs in an admin with a second factor at the service, which the admin area requires. */
  async function signInAdmin() {
    const { person, auth } = await signIn();
    await db().updateTable("profiles").set({ role: "admin" }).where("user_id", "=", person.id).execute();
    const { data } = await auth.mfa.enroll({ factorType: "totp" });
    const code = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? "") }).generate({
      timestamp: parts().app.clock.now().getTime(),
    });
    await auth.mfa.challengeAndVerify({ factorId: data?.id ?? "", code });
    return { token: (await auth.getSession()).data.session?.access_token ?? "" };
  }
  const again = async (email: string, at = parts().app) => {
    const browser = at.client({ cookieMode: true });
    const session = sessionOf(await browser.auth.signInWithPassword({ email, password: testPassword }));
    return { ...browser, session, token: session.access_token };
  };
  const call = async (token: string, method: string, path: string, body?: object) => {
    const response = await parts().app.send(`/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> & { code?: string } };
  };
  const isAlive = async (token: string, at = parts().app) =>
    (await authenticate(at.services, token).catch((error: { code?: string }) => {
      if (error.code !== "session_not_found") throw error;
      return null;
    })) !== null;
  const db = () => parts().app.services.database.db;

  return { signIn, signInAdmin, again, call, isAlive, db };
}

type Hosted = Awaited<ReturnType<typeof hostedApps>>;

/** Opens both processes and the service before a file's tests, passes them to `take`, and closes them afterwards. */
export function hostedTests(take: (apps: Hosted) => void) {
  let apps: Hosted;
  beforeAll(async () => {
    apps = await hostedApps();
    take(apps);
  });
  afterAll(() => apps.close());
  return hostedPeople(() => apps);
}
