import { useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type OwnProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.mine>>["items"][number];

export type PendingProfileClaim = Awaited<ReturnType<typeof browserApi.users.claims.waiting>>["items"][number];

export const useClaimableArtists = () => useQuery(orpc.users.claims.claimable.queryOptions());

export const useOwnProfileClaims = () => useQuery(orpc.users.claims.mine.queryOptions());

export const usePendingProfileClaims = () => useQuery(orpc.users.claims.waiting.queryOptions());

export const useSendProfileClaim = () => useCommand(orpc.users.claims.claim, orpc.users.claims.key());

export const useDecideProfileClaim = () => useCommand(orpc.users.claims.decide, orpc.users.claims.key());
