import * as client from "openid-client";
import type { Config } from "#platform/config.ts";
import { errorCode } from "#platform/errors.ts";
import { limitedFetch } from "#platform/http/outgoing/limited-fetch.ts";
import { isStorable } from "#platform/text.rules.ts";
import { type OidcProblem, oidcPaths } from "./rules.ts";

type Settings = NonNullable<Config["oidc"]>;

export type Attempt = Readonly<{ state: string; nonce: string; verifier: string }>;

export type ProvenIdentity = Readonly<{
  issuer: string;
  subject: string;
  /** As the provider wrote it. Undefined unless the provider verified the address. */
  verifiedEmail: string | undefined;
  name: string | undefined;
  /** Null without a configured role claim: then roles are granted by hand only. */
  isAdmin: boolean | null;
}>;

export class OidcFailure extends Error {
  readonly problem: OidcProblem;
  constructor(problem: OidcProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

const timeoutSeconds = 5;
const fetchJson = limitedFetch(1024 * 1024);
const clockToleranceSeconds = 30;

export const redirectUri = (config: Pick<Config, "publicUrl">): string => `${config.publicUrl}${oidcPaths.callback}`;

/** Reads the provider's addresses each time: a change of them or of its keys needs no restart. Throws the cause. */
export async function discover({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const isPlain = issuer.startsWith("http:");
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    clientSecret ? withSecret(clientSecret) : client.None(),
    {
      timeout: timeoutSeconds,
      [client.customFetch]: fetchJson as client.CustomFetch,
      // Checks the ID token's signature although it came over TLS. Plain http is for loopback only (config.ts).
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  );
}

/** Sends the secret in the body only to a provider that does not accept it in the header. */
const withSecret =
  (secret: string): client.ClientAuth =>
  (provider, ...call) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? [];
    const isInBody = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
    (isInBody ? client.ClientSecretPost : client.ClientSecretBasic)(secret)(provider, ...call);
  };

export const newAttempt = (): Attempt => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
});

/** Returns the provider's address for the browser. Throws OidcFailure. */
export async function authorizationUrl(config: Pick<Config, "publicUrl">, oidc: Settings, attempt: Attempt) {
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

/** Exchanges the code of the provider's redirect for an identity. Throws OidcFailure. */
export const proveIdentity = (oidc: Settings, callbackUrl: URL, attempt: Attempt): Promise<ProvenIdentity> =>
  named(async () => {
    const provider = await discover(oidc);
    const tokens = await client.authorizationCodeGrant(provider, callbackUrl, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken || !isStorableSubject(idToken.sub)) throw new OidcFailure("unverifiable");
    const more = provider.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(provider, tokens.access_token, idToken.sub)
      : {};
    const claims: Record<string, unknown> = { ...more, ...idToken };
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      verifiedEmail: verifiedEmailOf(idToken, more),
      name: textOf(claims["name"]),
      isAdmin: oidc.roleClaim ? [claims[oidc.roleClaim]].flat().includes(oidc.adminValue) : null,
    };
  });

/** Returns the address if the document that reports it also reports it as verified. The ID token comes first. */
function verifiedEmailOf(...documents: readonly Record<string, unknown>[]): string | undefined {
  const email = documents.map((one) => textOf(one["email"])).find((one) => one !== undefined);
  const decisive = documents.find((one) => one["email"] === email && one["email_verified"] !== undefined);
  return decisive?.["email_verified"] === true ? email : undefined;
}

const textOf = (claim: unknown): string | undefined => (typeof claim === "string" && claim !== "" ? claim : undefined);

/** A subject has at most 255 characters (OpenID Connect Core, section 2). */
const isStorableSubject = (subject: string): boolean => subject.length <= 255 && isStorable(subject);

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OidcFailure ? error : new OidcFailure(problemOf(error), { cause: error });
  }
}

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : []);

function problemOf(error: unknown): OidcProblem {
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === "access_denied") return "canceled";
    if (error.error === "unauthorized_client") return "client_refused";
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? "unreachable" : "refused";
  }
  if (error instanceof client.ResponseBodyError) {
    if (error.status >= 500) return "unreachable";
    if (/^(invalid|unauthorized)_client$/.test(error.error)) return "client_refused";
    return error.error === "invalid_grant" ? "expired" : "unverifiable";
  }
  // The token endpoint's response to a wrong secret in the header (RFC 6749, 5.2).
  if (error instanceof client.WWWAuthenticateChallengeError && error.cause.some(({ scheme }) => scheme === "basic"))
    return "client_refused";
  const causes = causesOf(error);
  const codes = causes.map(errorCode);
  if (codes.includes("OAUTH_JWT_TIMESTAMP_CHECK_FAILED")) return "clock";
  const isSilent = codes.some((code) => /^(OAUTH_TIMEOUT|OAUTH_RESPONSE_IS_NOT_CONFORM|E[A-Z]{4,})$/.test(code));
  return isSilent || causes.some((one) => one instanceof TypeError) ? "unreachable" : "unverifiable";
}

export async function testOidc(oidc: Settings): Promise<string> {
  const { token_endpoint: token } = (await discover(oidc)).serverMetadata();
  return token ? "The provider answers with its addresses." : "The provider answers, but has no token endpoint.";
}
