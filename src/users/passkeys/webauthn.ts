/** Requests and responses of authenticators (WebAuthn Level 3). The site is that of PUBLIC_URL. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { passkeyHost } from "#platform/security/passkey-host.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { secretPurpose } from "../mfa/totp.ts";
import { lifetimes } from "../rules.ts";

/** Loaded with the first passkey, because most processes need none of its certificate code. */
const library = () => import("@simplewebauthn/server");

/** The authenticator's response as browsers send it. The library checks its content. */
export const credentialShape = z.looseObject({
  id: z.string().min(1).max(1_400),
  rawId: z.string().max(1_400),
  type: z.string(),
  response: z.looseObject({ clientDataJSON: z.string().max(8_000) }),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});
export type Credential = z.infer<typeof credentialShape>;
export type PasskeyResponse = Readonly<{ challengeId: string; credential: Credential }>;

/** The stored part of a passkey. It is encrypted, because an attacker with write access to the database must not add a key. */
const storedShape = z.object({ publicKey: z.string(), transports: z.array(z.string()) });
const storedCredential = (services: PlatformServices, secret: string) =>
  storedShape.parse(JSON.parse(services.keys.decrypt(secretPurpose, secret)));

type Person = Readonly<{ userId: string; email: string; name: string }>;
type Stored = Readonly<{ credential_id: string | null; secret: string }>;

const handleOf = (userId: string) => new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));

/** Throws `not_served` if passkeys are not available. */
export function requirePasskeySite({ config }: PlatformServices): { host: string; origin: string } {
  const host = passkeyHost(config);
  if (host === null) throw new AuthError("not_served", "Passkeys are not offered here.");
  return { host, origin: new URL(config.publicUrl).origin };
}

/** Ed25519, ECDSA and RSA with SHA-256: every browser and authenticator has one of them. */
const algorithms = { supportedAlgorithmIDs: [-8, -7, -257] };
const timeout = lifetimes.challenge * 1000;

const descriptors = (services: PlatformServices, stored: readonly Stored[]) =>
  stored.map(({ credential_id, secret }) => ({
    id: credential_id ?? "",
    transports: storedCredential(services, secret).transports,
  }));

export async function registrationOptions(services: PlatformServices, person: Person, present: readonly Stored[]) {
  const { host } = requirePasskeySite(services);
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Stagedoor",
    rpID: host,
    userName: person.email || person.name,
    userDisplayName: person.name,
    userID: handleOf(person.userId),
    excludeCredentials: descriptors(services, present),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestationType: "none",
    ...algorithms,
    timeout,
  });
}

/** Without `allowed` the user chooses among the device's passkeys for this site. */
export async function authenticationOptions(services: PlatformServices, allowed: readonly Stored[] = []) {
  const { host } = requirePasskeySite(services);
  const { generateAuthenticationOptions } = await library();
  const allow = allowed.length > 0 ? { allowCredentials: descriptors(services, allowed) } : {};
  return generateAuthenticationOptions({ rpID: host, userVerification: "required", timeout, ...allow });
}

/** Returns the new passkey as it is stored, or `webauthn_verification_failed`. */
export const verifyRegistration = (services: PlatformServices, credential: Credential, challenge: string) =>
  verified(services, async () => {
    const { host, origin } = requirePasskeySite(services);
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      ...algorithms,
    });
    if (!registrationInfo) throw new Error("the attestation does not hold");
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const credentialData = { publicKey: Buffer.from(publicKey).toString("base64url"), transports };
    return { credentialId: id, counter, secret: services.keys.encrypt(secretPurpose, JSON.stringify(credentialData)) };
  });

type Asserted = { userId: string; challenge: string; stored: { secret: string; last_step: number } };

/** Returns the new count of signatures, or `webauthn_verification_failed`: a count that does not rise is that of a copied authenticator. */
export const verifyAuthentication = (services: PlatformServices, credential: Credential, asserted: Asserted) =>
  verified(services, async () => {
    const { host, origin } = requirePasskeySite(services);
    const { verifyAuthenticationResponse } = await library();
    const { userId, challenge, stored } = asserted;
    const response = credential as unknown as AuthenticationResponseJSON;
    const handle = response.response.userHandle;
    if (handle && !Buffer.from(handle, "base64url").equals(handleOf(userId)))
      throw new Error("another account's handle");
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(Buffer.from(storedCredential(services, stored.secret).publicKey, "base64url")),
        counter: Number(stored.last_step),
      },
      requireUserVerification: true,
    });
    if (!result.verified) throw new Error("the signature does not hold");
    return result.authenticationInfo.newCounter;
  });

/** Maps every error of the library to one message for the user, and logs the reason. */
async function verified<T>(services: PlatformServices, work: () => Promise<T>): Promise<T | AuthError> {
  try {
    return await work();
  } catch (error) {
    services.log.warn({ event: "passkey_refused", err: error }, "the answer of an authenticator was refused");
    return new AuthError("webauthn_verification_failed");
  }
}
