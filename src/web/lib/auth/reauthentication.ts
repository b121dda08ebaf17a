import { apiErrorOf } from "../api-error.ts";

export type Reauthentication = Readonly<{ password?: string; code?: string }>;

export const needsReauthentication = (error: unknown): boolean => apiErrorOf(error).code === "reauthentication_needed";

export function isReauthenticationRefused(error: unknown): boolean {
  const { code, status } = apiErrorOf(error);
  return code === "reauthentication_not_valid" || code === "reauthentication_needed" || status === 429;
}
