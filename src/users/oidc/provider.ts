/** What is asked of the OpenID Connect provider: its addresses, and who has signed in there. */
import * as client from "openid-client";
import type { Config } from "#platform/config.ts";
import { type OidcProblem, oidcPaths } from "./rules.ts";

type Settings = NonNullable<Config["oidc"]>;

/** The secrets of one attempt, which only the browser that began it has. */
export type Attempt = Readonly<{ state: string; nonce: string; verifier: string }>;

export type ProvenIdentity = Readonly<{
  issuer: string;
  subject: string;
  /** As the provider wrote it; undefined unless the provider says that it verified the address. */
  verifiedEmail: string | undefined;
  name: string | undefined;
  /** Null where no role claim is configured: then roles are given by hand only. */
  isAdmin: boolean | null;
}>;

/** A failed sign-in, as the sign-in page names it. */
export class OidcFailure extends Error {
  readonly problem: OidcProblem;
  constructor(problem: OidcProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

const timeoutSeconds = 5;
const clockToleranceSeconds = 30;

export const redirectUri = (config: Pick<Config, "publicUrl">): string => `${config.publicUrl}${oidcPaths.callback}`;

/** Reads the provider's addresses anew each time, so that a change of them or of its keys needs no restart. Throws what went wrong. */
export async function discover({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const isPlain = issuer.startsWith("http:");
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    clientSecret ? client.ClientSecretBasic(clientSecret) : client.None(),
    {
      timeout: timeoutSeconds,
      // The signature of the ID token is checked although it came over TLS; plain http is for loopback only (config.ts).
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  );
}

export const newAttempt = (): Attempt => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
});

/** The address at the provider where the browser goes. Throws OidcFailure. */
export async function authorizationUrl(
  config: Pick<Config, "publicUrl">,
  oidc: Settings,
  attempt: Attempt,
): Promise<URL> {
  const provider = await named(() => discover(oidc));
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(config),
    scope: "openid email profile",
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  });
}

/** Exchanges the code of the address that the provider sent the browser to. Throws OidcFailure. */
export const proveIdentity = (oidc: Settings, answer: URL, attempt: Attempt): Promise<ProvenIdentity> =>
  named(async () => {
    const provider = await discover(oidc);
    const tokens = await client.authorizationCodeGrant(provider, answer, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken) throw new OidcFailure("unverifiable");
    const more = provider.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(provider, tokens.access_token, idToken.sub)
      : {};
    const claims: Record<string, unknown> = { ...more, ...idToken };
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      verifiedEmail: claims["email_verified"] === true ? textOf(claims["email"]) : undefined,
      name: textOf(claims["name"]),
      isAdmin: oidc.roleClaim ? [claims[oidc.roleClaim]].flat().includes(oidc.adminValue) : null,
    };
  });

const textOf = (claim: unknown): string | undefined => (typeof claim === "string" && claim !== "" ? claim : undefined);

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OidcFailure ? error : new OidcFailure(problemOf(error), { cause: error });
  }
}

/** An error with what it wraps, outermost first. */
const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : []);

function problemOf(error: unknown): OidcProblem {
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === "access_denied") return "canceled";
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? "unreachable" : "unverifiable";
  }
  if (error instanceof client.ResponseBodyError) {
    if (error.status >= 500) return "unreachable";
    return error.error === "invalid_grant" ? "expired" : "unverifiable";
  }
  const causes = causesOf(error);
  const codes = causes.map((one) => ("code" in one ? String(one.code) : ""));
  if (codes.includes("OAUTH_JWT_TIMESTAMP_CHECK_FAILED")) return "clock";
  const isSilent = codes.some((code) => /^(OAUTH_TIMEOUT|OAUTH_RESPONSE_IS_NOT_CONFORM|E[A-Z]{4,})$/.test(code));
  return isSilent || causes.some((one) => one instanceof TypeError) ? "unreachable" : "unverifiable";
}

/** Reads the provider's addresses and says so, for the admin. Throws what went wrong. */
export async function testOidc(oidc: Settings): Promise<string> {
  const { token_endpoint: token } = (await discover(oidc)).serverMetadata();
  return token ? "The provider answers with its addresses." : "The provider answers, but names no token endpoint.";
}
