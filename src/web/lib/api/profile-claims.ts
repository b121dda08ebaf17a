/** Claiming an artist that has no owner yet, and an admin's decision about it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** What the person has asked for; dates are ISO strings. */
export type OwnProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.mine>>["items"][number];

/** A claim that waits, with the person behind it. */
export type PendingProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.waiting>>["items"][number];

/** Artists without an owner with the user's name. */
export const useClaimableArtists = () => useQuery(orpc.users.claims.claimable.queryOptions());

/** What the person has asked for, newest first. */
export const useOwnProfileClaims = () => useQuery(orpc.users.claims.mine.queryOptions());

/** Claims that wait for a decision, oldest first. For admins. */
export const usePendingProfileClaims = () => useQuery(orpc.users.claims.waiting.queryOptions());

/** Makes everything stale that shows claims. */
function useProfileClaimsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.users.claims.key() });
}

/** Asks for an artist, with evidence. */
export const useSendProfileClaim = () =>
  useMutation(orpc.users.claims.claim.mutationOptions({ onSuccess: useProfileClaimsChanged() }));

/** Gives the artist to the person, or refuses with a reason that the person reads. */
export const useDecideProfileClaim = () =>
  useMutation(orpc.users.claims.decide.mutationOptions({ onSuccess: useProfileClaimsChanged() }));
