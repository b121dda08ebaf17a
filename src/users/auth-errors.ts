import { Problem, type ProblemCode } from "#platform/errors.ts";

type Named = readonly [status: number, kind: ProblemCode, message: string];

const named = {
  validation_failed: [400, "invalid", "The request could not be read."],
  invalid_credentials: [400, "invalid", "Invalid login credentials"],
  email_not_confirmed: [400, "invalid", "Email not confirmed"],
  phone_not_confirmed: [400, "invalid", "Phone not confirmed"],
  refresh_token_not_found: [400, "invalid", "Invalid Refresh Token: Refresh Token Not Found"],
  refresh_token_already_used: [400, "invalid", "Invalid Refresh Token: Already Used"],
  session_expired: [400, "invalid", "Invalid Refresh Token: Session Expired"],
  weak_password: [422, "invalid", "This password is too weak."],
  same_password: [422, "invalid", "New password should be different from the old password."],
  anonymous_provider_disabled: [422, "invalid", "Anonymous sign-ins are disabled"],
  phone_provider_disabled: [400, "invalid", "Sign up with an email address. You can add a phone number later."],
  email_exists: [422, "invalid", "A user with this email address has already been registered"],
  phone_exists: [422, "invalid", "A user with this phone number has already been registered"],
  otp_expired: [403, "forbidden", "Token has expired or is invalid"],
  user_banned: [403, "forbidden", "This account is suspended."],
  user_not_found: [403, "forbidden", "User from sub claim in JWT does not exist"],
  no_authorization: [401, "unauthenticated", "This endpoint requires a valid Bearer token"],
  bad_jwt: [403, "unauthenticated", "invalid JWT: unable to parse or verify signature"],
  session_not_found: [403, "unauthenticated", "Session from session_id claim in JWT does not exist"],
  insufficient_aal: [401, "unauthenticated", "Enter the code of your second factor first."],
  reauthentication_needed: [400, "invalid", "Enter your password again to continue."],
  reauthentication_not_valid: [422, "invalid", "The code is wrong or has expired. Request a new one."],
  mfa_factor_not_found: [404, "not_found", "Factor not found"],
  mfa_challenge_expired: [
    422,
    "invalid",
    "MFA challenge has expired, verify against another challenge or create a new challenge.",
  ],
  mfa_verification_failed: [
    422,
    "invalid",
    "This code is wrong, was already used or has expired. Enter the code that your app shows now.",
  ],
  mfa_factor_name_conflict: [422, "invalid", "A factor with this name exists already"],
  too_many_enrolled_mfa_factors: [422, "invalid", "Too many factors are set up. Remove one first."],
  webauthn_challenge_expired: [422, "invalid", "This took longer than five minutes, or was already used. Try again."],
  webauthn_verification_failed: [
    422,
    "invalid",
    "The passkey could not be verified. Try again, or sign in another way.",
  ],
  webauthn_credential_not_found: [
    422,
    "invalid",
    "This passkey belongs to no account here. It may have been removed. Sign in another way.",
  ],
  webauthn_credential_exists: [422, "invalid", "This passkey already belongs to an account."],
  last_way_in: [422, "invalid", "This passkey is your only sign-in method. Set a password first, then remove it."],
  over_request_rate_limit: [429, "too_many", "Request rate limit reached"],
  cross_site: [403, "forbidden", "This call came from another site and was refused."],
  not_served: [501, "not_implemented", "This kind of sign-in is not offered here."],
  hosted_unreachable: [503, "unavailable", "The sign-in service does not answer. Please try again."],
  unexpected_failure: [500, "unavailable", "Something went wrong. Please try again."],
} as const satisfies Record<string, Named>;

type AuthErrorCode = keyof typeof named;

/** An error with a GoTrue error code. It has GoTrue's status under /auth/v1, elsewhere its own. */
export class AuthError extends Problem {
  override readonly status: number;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(name: AuthErrorCode, message?: string, more: Record<string, unknown> = {}, status?: number) {
    const [usualStatus, kind, usualMessage] = named[name];
    super(kind, message ?? usualMessage, { code: name });
    this.status = status ?? usualStatus;
    this.more = more;
  }
}

/** The API returns 401 for a missing or expired token and a suspended account. */
export const asProblem = (failure: AuthError): Problem =>
  new Problem(failure.code === "user_banned" ? "unauthenticated" : failure.kind, failure.message, {
    code: failure.code,
  });
