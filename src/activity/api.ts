import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { emptyAsMissing, listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { activityTypes, logSorts, moneyCaseKinds } from "./rules.ts";

const endpoint = endpointsOf("activity");

export const attention = z.object({
  kind: z.string(),
  message: z.string().describe("A noun phrase that follows the count"),
  count: z.int(),
  since: z.date().nullable(),
  due: z.date().nullable().describe("The earliest deadline; null if there is none"),
  example: z.string().nullable().describe("The id and kind of the oldest case"),
});
export type Attention = z.infer<typeof attention>;

const moneyCase = z.object({
  kind: z.enum(moneyCaseKinds),
  id: z.uuid(),
  ref: z.string().describe("The id of the booking, or the provider's reference of a dispute without one"),
  what: z.string(),
  amount: z.int(),
  currency: z.string(),
  since: z.date(),
  due: z.date().nullable(),
  booking_id: z.uuid().nullable(),
  booking_number: z.string().nullable(),
  artist_name: z.string().nullable(),
});
export type MoneyCase = z.infer<typeof moneyCase>;

const moment = z.preprocess(emptyAsMissing, z.iso.datetime().optional());

export const logFilters = {
  search: listSearch.describe(
    "Part of the message or the reference id, a booking number, or the address or number of a recipient",
  ),
  type: oneOf(activityTypes),
  from: moment.describe("Only entries at or after this time"),
  to: moment.describe("Only entries before this time"),
};
const filters = z.strictObject(logFilters);
export type LogFilters = z.infer<typeof filters>;

const logEntry = z.object({
  id: z.uuid(),
  type: z.string(),
  ref_id: z.string().nullable(),
  message: z.string(),
  meta: z.record(z.string(), z.unknown()),
  actor: z.object({ id: z.uuid(), name: z.string() }).nullable().describe("The account that performed the action"),
  booking: z.object({ id: z.uuid(), number: z.string() }).nullable().describe("The booking that ref_id leads to"),
  created_at: z.date(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const activityApi = {
  log: endpoint("admin", "GET /admin/logs", "listLog")
    .route({ summary: "The activity log, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...logFilters,
        sort: oneOf(logSorts).describe("By time, or by type with the newest of each first; - reverses the order"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(logEntry)),
  attention: endpoint("admin", "GET /admin/attention", "listAttention")
    .route({ summary: "Work that requires manual review by an admin; empty if there is none" })
    .output(z.object({ items: z.array(attention) })),
  moneyCases: endpoint("admin", "GET /admin/money-cases", "listMoneyCases")
    .route({
      summary: "Disputes, payouts and balances to resolve, the nearest deadline first; counted in the attention",
    })
    .output(z.object({ items: z.array(moneyCase) })),
};
