import { afterAll, beforeAll } from "vitest";
import { type AccountsApp, accountsApp, testPassword } from "../harness/accounts.ts";
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
  const again = async (email: string, at = parts().app) => {
    const browser = at.client({ cookieMode: true });
    const session = await browser.signIn({ email });
    return { ...browser, session, token: session.access_token };
  };
  async function signIn(input: Input = {}) {
    const email = input.email ?? `hosted-${crypto.randomUUID().slice(0, 8)}@people.test`;
    const person = parts().service.confirmed({ email, password: testPassword, ...input });
    return { person, email, ...(await again(email)) };
  }
  /** Signs in an admin with a second factor at the service, which the admin area requires. */
  async function signInAdmin() {
    const { person, ...browser } = await signIn();
    await db().updateTable("profiles").set({ role: "admin" }).where("user_id", "=", person.id).execute();
    return parts().app.addFactor(browser);
  }
  const call = (token: string, method: string, path: string, body?: object) =>
    parts().app.json(`/api${path}`, { method, token, ...(body ? { body } : {}) });
  const isAlive = async (token: string, at = parts().app) =>
    (await at.authenticate(token).catch((error: { code?: string }) => {
      if (error.code !== "session_not_found") throw error;
      return null;
    })) !== null;
  const db = () => parts().app.db;

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
