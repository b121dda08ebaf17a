import { useQuery } from "@tanstack/react-query";
import { useBookingCommand } from "../../lib/api/booking-page.ts";
import { orpc } from "../../lib/api/query.ts";

export const useCreateBalanceLink = () => useBookingCommand(orpc.bookings.balance.createLink);

export const useExtendBalance = () => useBookingCommand(orpc.bookings.balance.extend);

export const useReleaseFigures = (id: string) =>
  useQuery(orpc.bookings.balance.previewRelease.queryOptions({ input: { id }, gcTime: 0, staleTime: 0 }));

export const useReleaseDate = () => useBookingCommand(orpc.bookings.balance.release);
