import type { ValidationMessages } from "../lib/form-validation.ts";

export function errorMessageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  const unanswered = error instanceof Error && error.name === "AuthRetryableFetchError";
  return !unanswered && typeof message === "string" && message && message !== "{}"
    ? message
    : "The server could not be reached. Please try again.";
}

const fieldsOfCodes: Readonly<Record<string, string>> = {
  invalid_credentials: "password",
  weak_password: "password",
  email_address_invalid: "email",
  email_not_confirmed: "email",
  user_already_exists: "email",
};

export function fieldErrorOf(error: unknown): ValidationMessages<string> {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const field = typeof code === "string" ? fieldsOfCodes[code] : undefined;
  return field ? { [field]: errorMessageOf(error) } : {};
}
