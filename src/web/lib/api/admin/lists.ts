import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc } from "../query.ts";

type Reports = typeof browserApi.reports;
type Activity = typeof browserApi.activity;
type InputOf<Call extends (input: never) => unknown> = Parameters<Call>[0];

export type ListedPayment = Awaited<ReturnType<Reports["payments"]["list"]>>["items"][number];
export type PaymentDetails = Awaited<ReturnType<Reports["payments"]["get"]>>;
export type PaymentTotals = Awaited<ReturnType<Reports["payments"]["totals"]>>;
export type ListedContract = Awaited<ReturnType<Reports["contracts"]["list"]>>["items"][number];
export type LogEntry = Awaited<ReturnType<Activity["log"]>>["items"][number];

export const useContracts = (input: InputOf<Reports["contracts"]["list"]>) =>
  useQuery(orpc.reports.contracts.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useLog = (input: InputOf<Activity["log"]>) =>
  useQuery(orpc.activity.log.queryOptions({ input, placeholderData: keepPreviousData }));

export const usePayments = (input: InputOf<Reports["payments"]["list"]>) =>
  useQuery(orpc.reports.payments.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const usePaymentTotals = (input: InputOf<Reports["payments"]["totals"]>) =>
  useQuery(orpc.reports.payments.totals.queryOptions({ input, placeholderData: keepPreviousData }));

export const usePayment = (id: string | null) =>
  useQuery(orpc.reports.payments.get.queryOptions({ input: { id: id ?? "" }, enabled: id !== null }));
