/** The components of an installation for an admin: each with its last test, and the backups. */
import { z } from "zod";
import { backupOverview } from "#reports/api.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { componentNames, componentStatuses } from "./rules.ts";

const endpoint = endpointsOf("settings");

const component = z.object({
  name: z.enum(componentNames),
  label: z.string(),
  product: z.string().describe("What is in use, and where"),
  mode: z.enum(["embedded", "external"]),
  status: z.enum(componentStatuses),
  in_use_since: z.date().nullable().describe("Since when this product is known to be in use"),
  last_success_at: z.date().nullable(),
  last_failure_at: z.date().nullable(),
  message: z
    .string()
    .describe("The state in words; of a failure also what visitors notice and what to check. Empty while untested"),
  details: z.string().nullable().describe("The technical answer of a failure"),
  queue: z.object({ waiting: z.int(), oldest_at: z.date().nullable() }).nullable(),
});
export type ComponentReport = z.infer<typeof component>;

const backup = backupOverview.extend({
  place: z.string().nullable().describe("Where the daily backups are kept; null while none are made"),
  keep: z.int().describe("How many are kept"),
  next_at: z.date().nullable(),
});
export type BackupReport = z.infer<typeof backup>;

const outcome = z.object({ ok: z.boolean(), message: z.string(), took_ms: z.int(), at: z.date() });

export const componentsApi = {
  list: endpoint("admin", "GET /admin/components", "listComponents")
    .route({
      summary: "What the installation stands on: what is in use, whether it works, and the last verified backup",
    })
    .output(z.object({ items: z.array(component), backup })),
  test: endpoint("admin", "POST /admin/components/{name}/test", "testComponent")
    .route({ summary: "Try a component now, within five seconds; nothing that lasts is changed" })
    .input(
      z.strictObject({
        name: z.enum(componentNames),
        send_email: z.boolean().optional().describe("For email: also send a test email to the caller's own address"),
      }),
    )
    .output(outcome.extend({ component })),
};
