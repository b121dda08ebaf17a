/** The person's own account beside the protocol: where it is signed in, a copy of its data, its end. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { browserApi } from "./browser-api.ts";
import type { Reauthentication } from "../auth/reauthentication.ts";
import { orpc } from "./query.ts";

/** A place where the account is signed in; dates are ISO strings. */
export type ActiveSession = Awaited<ReturnType<typeof browserApi.users.account.sessions>>["items"][number];

/** Where the account is signed in, last used first. */
export const useActiveSessions = () => useQuery(orpc.users.account.sessions.queryOptions());

/** Signs one device out. */
export function useEndSession() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.users.account.key() });
  return useMutation(orpc.users.account.endSession.mutationOptions({ onSuccess }));
}

/** Everything that is stored about the person, as one text for a file. */
export const useExport = () =>
  useMutation({
    mutationFn: async (reauthentication: Reauthentication) =>
      JSON.stringify(await browserApi.users.account.exportData(reauthentication), null, 2),
  });

/** Deletes the account. The server asks for reauthentication, and refuses while a booking is open. */
export const useDeleteAccount = () => useMutation(orpc.users.account.deleteAccount.mutationOptions());

<<<<<<< HEAD
/** Authenticates again in this session, by the password or a mailed code; what needs recent authentication passes for five minutes. */
export const reauthenticate = (proof: Proof): Promise<unknown> => browserApi.users.account.reauthenticate(proof);
=======
/**
 * Removes an authenticator. The protocol's client sends no body with this call, so reauthentication could not go along; everything else is
 * the protocol's.
 */
export async function removeFactor(
  factorId: string,
  reauthentication: Reauthentication,
): Promise<{ error: { message: string; code: string; status: number } | null }> {
  const answer = await fetch(`/auth/v1/factors/${encodeURIComponent(factorId)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${(await accessToken()) ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify(reauthentication),
  });
  if (answer.ok) return { error: null };
  const body: unknown = await answer.json().catch(() => undefined);
  const text = (name: string): string => {
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  const error = new Error(text("message") || "The server could not be reached. Please try again.");
  return { error: Object.assign(error, { code: text("code") || "unexpected_failure", status: answer.status }) };
}
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
