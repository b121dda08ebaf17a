import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useInvalidate } from "../../lib/api/query.ts";

export type BookingDispute = Awaited<ReturnType<typeof browserApi.bookings.disputes.list>>["items"][number];

export const useDisputes = (id: string) => useQuery(orpc.bookings.disputes.list.queryOptions({ input: { id } }));

export const useSendEvidence = () =>
  useMutation(orpc.bookings.disputes.send.mutationOptions(useInvalidate(orpc.bookings.key())));

export const useReturnShare = () =>
  useMutation(orpc.bookings.disputes.returnShare.mutationOptions(useInvalidate(orpc.bookings.key())));

export const useAcceptDispute = () =>
  useMutation(orpc.bookings.disputes.accept.mutationOptions(useInvalidate(orpc.bookings.key())));
