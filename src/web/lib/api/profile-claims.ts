/** Asking for an artist that nobody owns yet, and an admin's decision about it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** What the person has asked for; dates are ISO strings. */
export type OwnClaim = Awaited<ReturnType<typeof browserApi.users.claims.mine>>["items"][number];

/** A claim that waits, with the person behind it. */
export type WaitingClaim = Awaited<ReturnType<typeof browserApi.users.claims.waiting>>["items"][number];

/** Artists without an owner that bear the person's name. */
export const useClaimable = () => useQuery(orpc.users.claims.claimable.queryOptions());

/** What the person has asked for, newest first. */
export const useMyClaims = () => useQuery(orpc.users.claims.mine.queryOptions());

/** Claims that wait for a decision, oldest first. For admins. */
export const useWaitingClaims = () => useQuery(orpc.users.claims.waiting.queryOptions());

/** Makes everything stale that shows claims. */
function useClaimsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.users.claims.key() });
}

/** Asks for an artist, with evidence. */
export const useClaimArtist = () =>
  useMutation(orpc.users.claims.claim.mutationOptions({ onSuccess: useClaimsChanged() }));

/** Gives the artist to the person, or refuses with a reason that the person reads. */
export const useDecideClaim = () =>
  useMutation(orpc.users.claims.decide.mutationOptions({ onSuccess: useClaimsChanged() }));
