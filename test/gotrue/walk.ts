/** One run through the protocol with the unmodified client, for the service itself and for a gateway before it. */

import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { makeClient, sessionOf } from "#test/harness/accounts.ts";
import type { Double } from "./double.ts";

type SendRequest = Parameters<typeof makeClient>[0];
type Walk = { fetch: SendRequest; service: Double; cookieMode: boolean; now: () => Date };

const password = "a quiet lamp backstage";

/** Runs from the sign-up to the last sign-out. `alive` returns whether an access token is still valid. */
export async function walk(
  { fetch: request, service, cookieMode, now }: Walk,
  alive: (token: string) => Promise<boolean>,
) {
  const email = `walker-${crypto.randomUUID().slice(0, 8)}@people.test`;
  const open = () => makeClient(request, { cookieMode });
  const { auth, events } = open();

  const weak = await auth.signUp({ email, password: "short" });
  expect(weak.error).toMatchObject({ name: "AuthWeakPasswordError", code: "weak_password", reasons: ["length"] });
  const signedUp = await auth.signUp({ email, password, options: { data: { name: "Wanda Walker", role: "artist" } } });
  expect(signedUp).toMatchObject({ error: null, data: { session: null, user: { email } } });
  const early = await auth.signInWithPassword({ email, password });
  expect(early.error).toMatchObject({ status: 400, code: "email_not_confirmed" });
  expect((await auth.resend({ type: "signup", email })).error).toBeNull();
  expect((await auth.verifyOtp({ email, token: "000000x", type: "signup" })).error?.code).toBe("otp_expired");
  const first = sessionOf(await auth.verifyOtp({ token_hash: service.lastMail(email).tokenHash, type: "signup" }));
  expect(await alive(first.access_token)).toBe(true);
  expect((await auth.getUser()).data.user).toMatchObject({ email, user_metadata: { role: "artist" } });

  const second = sessionOf(await auth.refreshSession());
  expect(second.refresh_token === first.refresh_token).toBe(cookieMode);
  expect((await auth.updateUser({ data: { name: "Wanda W." } })).data.user?.user_metadata["name"]).toBe("Wanda W.");
  expect((await auth.updateUser({ password })).error?.code).toBe("same_password");

  const other = open();
  const elsewhere = sessionOf(await other.auth.signInWithPassword({ email, password }));
  expect(await alive(elsewhere.access_token)).toBe(true);
  expect((await auth.signOut({ scope: "others" })).error).toBeNull();
  expect(await alive(elsewhere.access_token)).toBe(false);
  expect((await other.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect(await alive(second.access_token)).toBe(true);

  expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
  const recovering = open();
  const recovered = sessionOf(
    await recovering.auth.verifyOtp({ email, token: service.lastMail(email).code, type: "recovery" }),
  );
  expect((await recovering.auth.updateUser({ password: "another quiet lamp" })).error).toBeNull();
  expect(await alive(second.access_token)).toBe(false);
  expect(await alive(recovered.access_token)).toBe(true);
  expect((await recovering.auth.signInWithPassword({ email, password })).error?.code).toBe("invalid_credentials");

  expect((await recovering.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error).toBeNull();
  sessionOf(await recovering.auth.verifyOtp({ email, token: service.lastMail(email).code, type: "email" }));
  expect((await recovering.auth.reauthenticate()).error).toBeNull();
  expect(service.lastMail(email).kind).toBe("reauthentication");

  const enrolled = await recovering.auth.mfa.enroll({ factorType: "totp" });
  if (enrolled.error) throw enrolled.error;
  const { id: factorId, totp } = enrolled.data;
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate({ timestamp: now().getTime() });
  const wrong = await recovering.auth.mfa.challengeAndVerify({ factorId, code: "0000000" });
  expect(wrong.error?.code).toBe("mfa_verification_failed");
  expect((await recovering.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect((await recovering.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
  expect((await recovering.auth.mfa.unenroll({ factorId })).error).toBeNull();

  const last = sessionOf(await recovering.auth.refreshSession());
  expect((await recovering.auth.signOut({ scope: "global" })).error).toBeNull();
  expect(await alive(last.access_token)).toBe(false);
  expect(await alive(recovered.access_token)).toBe(false);
  expect(service.livingSessions(email)).toBe(0);
  expect(events).toContain("TOKEN_REFRESHED");
}
