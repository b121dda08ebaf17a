import type { ValidationMessages } from "../lib/form-validation.ts";
import { toast } from "../lib/toasts.ts";

const passkeyMessages: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: you canceled, or it took too long. Try again, or choose another method.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys do not work at this address.",
  ConstraintError: "This device cannot check who uses the passkey. Set a PIN or a fingerprint, or use another device.",
};

/** Returns true if the same call may succeed later: the server did not answer, failed, or limits the calls. */
export function isTemporary(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status ?? 0) : 0;
  return status === 0 || status === 429 || status >= 500;
}

const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

export function errorMessageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  if (error instanceof Error && "__isWebAuthnError" in error)
    return passkeyMessages[error.name] ?? "The browser could not use a passkey. Try again, or choose another method.";
  if (codeOf(error) === "otp_expired")
    return "This code is wrong or has expired. Check the message, or request a new one.";
  // A hosted service sends its own technical text.
  if (codeOf(error) === "mfa_verification_failed" && message === "Invalid TOTP code entered")
    return "This code is wrong or has expired. Enter the code that your app shows now.";
  return !isUnanswered(error) && typeof message === "string" && message && message !== "{}"
    ? message
    : "The server could not be reached. Please try again.";
}

/** The server's failures with a text for the user. */
const answeredFailures: readonly unknown[] = [500, 501];

/** Returns true if the text is the browser's, a proxy's, or the parser's about a proxy's page. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AuthUnknownError" ||
    (error.name === "AuthRetryableFetchError" && "status" in error && !answeredFailures.includes(error.status)));

export const showError = (error: unknown): void =>
  toast({ tone: "error", title: "Error", text: errorMessageOf(error) });

const fieldsOfCodes: Readonly<Record<string, string>> = {
  invalid_credentials: "password",
  weak_password: "password",
  email_address_invalid: "email",
  email_not_confirmed: "email",
  user_already_exists: "email",
};

export function fieldErrorOf(error: unknown): ValidationMessages<string> {
  const field = fieldsOfCodes[codeOf(error) ?? ""];
  return field ? { [field]: errorMessageOf(error) } : {};
}
