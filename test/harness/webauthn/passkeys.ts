/** Browsers that add passkeys to accounts and sign in with them. */

import { type AccountsApp, sessionOf } from "../accounts.ts";
import { type Bent, makeAuthenticator } from "./authenticator.ts";

type Browser = ReturnType<AccountsApp["client"]>;
type Authenticator = ReturnType<typeof makeAuthenticator>;

export function opened<T>({ data, error }: { data: T | null; error: unknown }): T {
  if (error) throw error;
  if (!data) throw new Error("the answer holds nothing");
  return data;
}

export async function register({ auth }: Browser, device: Authenticator, bent: Bent = {}) {
  const { challenge_id: challengeId, options } = opened(await auth.passkey.startRegistration());
  return auth.passkey.verifyRegistration({ challengeId, credential: device.create(options, bent) });
}

/** Makes a user with a passkey, in a browser that is signed in at the second level. */
export async function withPasskey(app: AccountsApp) {
  const { user, ...browser } = await app.signedIn({}, { cookieMode: true });
  const device = makeAuthenticator();
  const { id } = opened(await register(browser, device));
  sessionOf(await browser.auth.refreshSession({ refresh_token: "cookie" }));
  return { user, browser, device, id };
}

export const startSignIn = async ({ auth }: Browser) => opened(await auth.passkey.startAuthentication());

/** Signs in with a passkey alone. `code` is the error code if the sign-in fails. */
export async function signInAlone(
  app: AccountsApp,
  device: Authenticator,
  bent: Bent = {},
  browser = app.client({ cookieMode: true }),
) {
  const { challenge_id: challengeId, options } = await startSignIn(browser);
  const response = await browser.auth.passkey.verifyAuthentication({
    challengeId,
    credential: device.get(options, bent),
  });
  return { browser, code: response.error?.code, session: response.data?.session };
}

type Body = {
  id?: string;
  code?: string;
  access_token?: string;
  webauthn?: {
    credential_options: { publicKey: { challenge: string; rpId: string; allowCredentials: { id: string }[] } };
  };
};
/** Posts with the access token of a browser. */
export async function poster(app: AccountsApp, { auth }: Browser) {
  const token = (await auth.getSession()).data.session?.access_token ?? "";
  return (path: string, body: object) => app.json<Body>(`/auth/v1${path}`, { token, body });
}
