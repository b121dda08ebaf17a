import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { backupOverview } from "#reports/api.ts";
import { componentNames, componentStatuses } from "./rules.ts";

const endpoint = endpointsOf("settings");

const component = z.object({
  name: z.enum(componentNames),
  label: z.string(),
  product: z.string().describe("The product in use, and its address"),
  mode: z.enum(["embedded", "external"]),
  status: z.enum(componentStatuses),
  in_use_since: z.date().nullable().describe("When this product was first recorded as in use"),
  last_success_at: z.date().nullable(),
  last_failure_at: z.date().nullable(),
  message: z
    .string()
    .describe(
      "The state as text. For a failure, also its effect on visitors and what to check. Empty before the first test",
    ),
  details: z.string().nullable().describe("The technical details of a failure"),
  queue: z.object({ waiting: z.int(), oldest_at: z.date().nullable() }).nullable(),
});
export type ComponentReport = z.infer<typeof component>;

const backup = backupOverview.extend({
  place: z.string().nullable().describe("Where the daily backups are stored; null if they are off"),
  keep: z.int().describe("The number of stored backups"),
  next_at: z.date().nullable(),
});
export type BackupReport = z.infer<typeof backup>;

const outcome = z.object({ ok: z.boolean(), message: z.string(), took_ms: z.int(), at: z.date() });

export const componentsApi = {
  list: endpoint("admin", "GET /admin/components", "listComponents")
    .route({ summary: "The components of the installation, their status, and the last verified backup" })
    .output(z.object({ items: z.array(component), backup })),
  test: endpoint("admin", "POST /admin/components/{name}/test", "testComponent")
    .route({ summary: "Test a component now, within five seconds; the test changes nothing permanently" })
    .input(
      z.strictObject({
        name: z.enum(componentNames),
        send_email: z.boolean().optional().describe("For email: also send a test email to the caller's own address"),
      }),
    )
    .output(outcome.extend({ component })),
};
