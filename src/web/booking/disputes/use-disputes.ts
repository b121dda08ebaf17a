import { useQuery } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useCommand } from "../../lib/api/query.ts";

export type BookingDispute = Awaited<ReturnType<typeof browserApi.bookings.disputes.list>>["items"][number];

export const useDisputes = (id: string) => useQuery(orpc.bookings.disputes.list.queryOptions({ input: { id } }));

export const useSendEvidence = () => useCommand(orpc.bookings.disputes.send, orpc.bookings.key());

export const useReturnShare = () => useCommand(orpc.bookings.disputes.returnShare, orpc.bookings.key());

export const useAcceptDispute = () => useCommand(orpc.bookings.disputes.accept, orpc.bookings.key());
