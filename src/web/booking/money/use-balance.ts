import { useMutation, useQuery } from "@tanstack/react-query";
import { useRefreshBookings } from "../../lib/api/booking-page.ts";
import { orpc } from "../../lib/api/query.ts";

export const useCreateBalanceLink = () =>
  useMutation(orpc.bookings.balance.createLink.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useExtendBalance = () =>
  useMutation(orpc.bookings.balance.extend.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useReleaseFigures = (id: string) =>
  useQuery(orpc.bookings.balance.previewRelease.queryOptions({ input: { id }, gcTime: 0, staleTime: 0 }));

export const useReleaseDate = () =>
  useMutation(orpc.bookings.balance.release.mutationOptions({ onSuccess: useRefreshBookings() }));
