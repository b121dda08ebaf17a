/** The metadata that users store in their account. It decides nothing: roles and permissions are never read from it. */

import { AuthError } from "../auth-errors.ts";

const maxCharacters = 4_000;
const maxNames = 30;
/** Names that look like permissions, or that the profile stores. They are not stored. */
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

/** Returns the stored part of the metadata: texts, numbers, booleans. Throws for more than 30 names or 4,000 characters. */
export function cleanMetadata(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const allowed = Object.entries(data).filter(([name, value]) => !dropped.has(name.toLowerCase()) && isPlain(value));
  if (allowed.length > maxNames || JSON.stringify(data).length > maxCharacters)
    throw new AuthError("validation_failed", "The user data is too large.");
  return Object.fromEntries(allowed);
}

/** Merges a change into stored metadata. Null removes a name, as in the protocol. */
export function mergeMetadata(stored: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>) {
  const merged = { ...stored, ...cleanMetadata(change) };
  return cleanMetadata(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)));
}
