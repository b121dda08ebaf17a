import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { activityTypes, logSorts } from "./rules.ts";

const endpoint = endpointsOf("activity");

export const attention = z.object({
  kind: z.string(),
  message: z.string().describe("What it is about, to be read after the count"),
  count: z.int(),
  since: z.date().nullable(),
  due: z.date().nullable().describe("When the first of them can no longer be done; null when none has such a moment"),
  example: z.string().nullable().describe("The oldest case: an id, and what it is"),
});
export type Attention = z.infer<typeof attention>;

export const logFilters = {
  search: listSearch.describe("Part of the message or the reference id, or a booking number"),
  type: oneOf(activityTypes),
};
const filters = z.strictObject(logFilters);
export type LogFilters = z.infer<typeof filters>;

export const logEntry = z.object({
  id: z.uuid(),
  type: z.string(),
  ref_id: z.string().nullable(),
  message: z.string(),
  meta: z.record(z.string(), z.unknown()),
  actor: z.object({ id: z.uuid(), name: z.string() }).nullable().describe("The account that did it"),
  booking: z.object({ id: z.uuid(), number: z.string() }).nullable().describe("The booking that ref_id leads to"),
  created_at: z.date(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const activityApi = {
  log: endpoint("admin", "GET /admin/logs", "listLog")
    .route({ summary: "What happened, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...logFilters,
        sort: oneOf(logSorts).describe("By time, or by type with the newest of each first; with - the other way round"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(logEntry)),
  attention: endpoint("admin", "GET /admin/attention", "listAttention")
    .route({ summary: "What was given up and waits for a person; empty when all is well" })
    .output(z.object({ items: z.array(attention) })),
};
