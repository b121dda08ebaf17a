/** What a person may keep about themselves in their account. It decides nothing: roles and rights never come from here. */
import { AuthError } from "../auth-errors.ts";

const mostCharacters = 4_000;
const mostNames = 30;
/** Names that look like rights, or that the profile keeps itself. They are dropped, not stored. */
const dropped = new Set([
  "role",
  "roles",
  "is_admin",
  "admin",
  "app_metadata",
  "user_metadata",
  "name",
  "sub",
  "email",
  "phone",
  "email_verified",
  "phone_verified",
]);

const isPlain = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);

/** The part of the sent metadata that is stored: texts, numbers, yes and no. Refuses more than 30 names or 4,000 characters. */
export function cleanMetadata(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(data).filter(([name, value]) => !dropped.has(name.toLowerCase()) && isPlain(value));
  if (kept.length > mostNames || JSON.stringify(data).length > mostCharacters) {
    throw new AuthError("validation_failed", "The user data is too large.");
  }
  return Object.fromEntries(kept);
}

/** Merges a change into stored metadata; null removes a name, as the protocol says. */
export function mergeMetadata(
  stored: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...stored, ...cleanMetadata(change) };
  return cleanMetadata(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)));
}
