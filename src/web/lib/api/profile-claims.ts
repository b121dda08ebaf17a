import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useInvalidate } from "./query.ts";

export type OwnProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.mine>>["items"][number];

export type PendingProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.waiting>>["items"][number];

export const useClaimableArtists = () => useQuery(orpc.users.claims.claimable.queryOptions());

export const useOwnProfileClaims = () => useQuery(orpc.users.claims.mine.queryOptions());

export const usePendingProfileClaims = () => useQuery(orpc.users.claims.waiting.queryOptions());

const useProfileClaimsChanged = () => useInvalidate(orpc.users.claims.key());

export const useSendProfileClaim = () =>
  useMutation(orpc.users.claims.claim.mutationOptions(useProfileClaimsChanged()));

export const useDecideProfileClaim = () =>
  useMutation(orpc.users.claims.decide.mutationOptions(useProfileClaimsChanged()));
