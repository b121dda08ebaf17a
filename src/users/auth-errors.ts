import { Problem, type ProblemCode } from "#platform/errors.ts";

type Named = { status: number; kind: ProblemCode; message: string };

const named = {
  validation_failed: { status: 400, kind: "invalid", message: "The request could not be read." },
  bad_json: { status: 400, kind: "invalid", message: "The body is not valid JSON." },
  invalid_credentials: { status: 400, kind: "invalid", message: "Invalid login credentials" },
  email_not_confirmed: { status: 400, kind: "invalid", message: "Email not confirmed" },
  phone_not_confirmed: { status: 400, kind: "invalid", message: "Phone not confirmed" },
  refresh_token_not_found: { status: 400, kind: "invalid", message: "Invalid Refresh Token: Refresh Token Not Found" },
  refresh_token_already_used: { status: 400, kind: "invalid", message: "Invalid Refresh Token: Already Used" },
  session_expired: { status: 400, kind: "invalid", message: "Invalid Refresh Token: Session Expired" },
  weak_password: { status: 422, kind: "invalid", message: "This password is too weak." },
  same_password: { status: 422, kind: "invalid", message: "New password should be different from the old password." },
  anonymous_provider_disabled: { status: 422, kind: "invalid", message: "Anonymous sign-ins are disabled" },
  phone_provider_disabled: {
    status: 400,
    kind: "invalid",
    message: "Sign up with an email address. You can add a phone number later.",
  },
  email_exists: { status: 422, kind: "invalid", message: "A user with this email address has already been registered" },
  phone_exists: { status: 422, kind: "invalid", message: "A user with this phone number has already been registered" },
  otp_expired: { status: 403, kind: "forbidden", message: "Token has expired or is invalid" },
  otp_disabled: { status: 422, kind: "invalid", message: "Signups not allowed for otp" },
  user_banned: { status: 403, kind: "forbidden", message: "This account is suspended." },
  user_not_found: { status: 403, kind: "forbidden", message: "User from sub claim in JWT does not exist" },
  no_authorization: { status: 401, kind: "unauthenticated", message: "This endpoint requires a valid Bearer token" },
  bad_jwt: { status: 403, kind: "unauthenticated", message: "invalid JWT: unable to parse or verify signature" },
  session_not_found: {
    status: 403,
    kind: "unauthenticated",
    message: "Session from session_id claim in JWT does not exist",
  },
  insufficient_aal: {
    status: 401,
    kind: "unauthenticated",
    message: "Enter the code of your second factor first.",
  },
  reauthentication_needed: { status: 400, kind: "invalid", message: "Enter your password again to continue." },
  reauthentication_not_valid: {
    status: 422,
    kind: "invalid",
    message: "The code is wrong or has expired. Request a new one.",
  },
  mfa_factor_not_found: { status: 404, kind: "not_found", message: "Factor not found" },
  mfa_challenge_expired: {
    status: 422,
    kind: "invalid",
    message: "MFA challenge has expired, verify against another challenge or create a new challenge.",
  },
  mfa_verification_failed: { status: 422, kind: "invalid", message: "Invalid TOTP code entered" },
  mfa_factor_name_conflict: { status: 422, kind: "invalid", message: "A factor with this name exists already" },
  too_many_enrolled_mfa_factors: {
    status: 422,
    kind: "invalid",
    message: "Too many factors are set up. Remove one first.",
  },
  webauthn_challenge_expired: {
    status: 422,
    kind: "invalid",
    message: "This took longer than five minutes, or was already used. Try again.",
  },
  webauthn_verification_failed: {
    status: 422,
    kind: "invalid",
    message: "The passkey could not be verified. Try again, or sign in another way.",
  },
  webauthn_credential_not_found: {
    status: 422,
    kind: "invalid",
    message: "This passkey belongs to no account here. It may have been removed. Sign in another way.",
  },
  webauthn_credential_exists: { status: 422, kind: "invalid", message: "This passkey already belongs to an account." },
  last_way_in: {
    status: 422,
    kind: "invalid",
    message: "This passkey is your only sign-in method. Set a password first, then remove it.",
  },
  over_request_rate_limit: { status: 429, kind: "too_many", message: "Request rate limit reached" },
  over_email_send_rate_limit: {
    status: 429,
    kind: "too_many",
    message: "Too many emails were requested. Wait a few minutes and try again.",
  },
  cross_site: { status: 403, kind: "forbidden", message: "This call came from another site and was refused." },
  not_served: { status: 501, kind: "not_implemented", message: "This kind of sign-in is not offered here." },
  hosted_unreachable: {
    status: 503,
    kind: "unavailable",
    message: "The sign-in service does not answer. Please try again.",
  },
  unexpected_failure: { status: 500, kind: "unavailable", message: "Something went wrong. Please try again." },
} as const satisfies Record<string, Named>;

export type AuthErrorCode = keyof typeof named;

/** An error with a GoTrue error code. It has GoTrue's status under /auth/v1, elsewhere its own. */
export class AuthError extends Problem {
  override readonly status: number;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(name: AuthErrorCode, message?: string, more: Record<string, unknown> = {}, status?: number) {
    super(named[name].kind, message ?? named[name].message, { code: name });
    this.status = status ?? named[name].status;
    this.more = more;
  }
}

/** Returns the same error for the API, where a missing or expired token and a suspended account are 401. */
export const asProblem = (failure: AuthError): Problem =>
  new Problem(failure.code === "user_banned" ? "unauthenticated" : failure.kind, failure.message, {
    code: failure.code,
  });
