/** Access tokens: a JWT that proves user, session and assurance level, and nothing else. */

import { SignJWT, decodeJwt, errors, jwtVerify } from "jose";
import { z } from "zod";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { lifetimes } from "../rules.ts";
import { currentSigner, verifierFor } from "./signing-keys.ts";

export const assuranceLevels = ["aal1", "aal2"] as const;
export type AssuranceLevel = (typeof assuranceLevels)[number];
/** How and when (Unix seconds) a session was proven. An unreadable list proves nothing. */
export const amrShape = z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([]);
export type AmrEntry = z.infer<typeof amrShape>[number];

const audience = "authenticated";
const claimsShape = z.object({ sub: z.uuid(), session_id: z.uuid(), aal: z.enum(assuranceLevels), exp: z.number() });

export type AccessTokenClaims = { userId: string; sessionId: string; aal: AssuranceLevel };

const issuerOf = (services: PlatformServices) => `${services.config.publicUrl}/auth/v1`;

/** `expiresAt` is in Unix seconds. */
export async function signAccessToken(
  services: PlatformServices,
  claims: AccessTokenClaims & { amr: readonly AmrEntry[] },
) {
  const { kid, key } = await currentSigner(services);
  const issuedAt = Math.floor(services.realClock.now().getTime() / 1000);
  const expiresAt = issuedAt + lifetimes.accessToken;
  const token = await new SignJWT({
    role: audience,
    aal: claims.aal,
    amr: [...claims.amr],
    session_id: claims.sessionId,
    is_anonymous: false,
  })
    .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
    .setSubject(claims.userId)
    .setAudience(audience)
    .setIssuer(issuerOf(services))
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key);
  return { token, expiresAt };
}

const verified = (services: PlatformServices, token: string, tolerance = 0) =>
  jwtVerify(token, (header) => requireVerifier(services, header.kid), {
    issuer: issuerOf(services),
    audience,
    algorithms: ["ES256"],
    currentDate: services.realClock.now(),
    clockTolerance: tolerance,
  });

/** Returns undefined for a forged token. An expired one is read too: it grants nothing. */
export async function findTokenSubject(services: PlatformServices, token: string) {
  try {
    return claimsOf(await verified(services, token, lifetimes.sessionAtMost));
  } catch (error) {
    if (isBadToken(error)) return undefined;
    throw error;
  }
}

function claimsOf({ payload }: { payload: unknown }): AccessTokenClaims {
  const claims = claimsShape.parse(payload);
  return { userId: claims.sub, sessionId: claims.session_id, aal: claims.aal };
}

const isBadToken = (error: unknown) =>
  error instanceof errors.JOSEError || error instanceof z.ZodError || error instanceof TypeError;

/** Reads a token. Throws bad_jwt if it is forged, expired, of another issuer or malformed. */
export async function readAccessToken(services: PlatformServices, token: string): Promise<AccessTokenClaims> {
  try {
    return claimsOf(await verified(services, token));
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new AuthError("bad_jwt", "invalid JWT: token is expired");
    if (isBadToken(error)) throw new AuthError("bad_jwt");
    throw error;
  }
}

export const expiryOf = (token: string): Date => new Date((decodeJwt(token).exp ?? 0) * 1000);

async function requireVerifier(services: PlatformServices, kid: string | undefined) {
  const key = await verifierFor(services, kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
