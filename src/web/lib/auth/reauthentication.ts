/** The reauthentication that the server wants before an action that weakens or ends an account. */
import { apiErrorOf } from "../api-error.ts";

export type Reauthentication = Readonly<{ password?: string; code?: string }>;

/** The call was refused only because the last proof of the person is too old. */
export const needsReauthentication = (error: unknown): boolean => apiErrorOf(error).code === "reauthentication_needed";

export function isReauthenticationRefused(error: unknown): boolean {
  const { code, status } = apiErrorOf(error);
  return code === "reauthentication_not_valid" || code === "reauthentication_needed" || status === 429;
}
