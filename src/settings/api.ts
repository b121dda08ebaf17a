/** The endpoints of the settings module. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

/** The platform's settings that every page may read. */
export const publicSettings = z.object({
  primaryColor: z.string(),
  logoUrl: z.string(),
  supportEmail: z.string(),
  currency: z.string(),
  depositPercent: z.number().int(),
  timeZone: z.string(),
  /** Demo mode: the pages say what is not real. */
  demo: z.boolean(),
  /** The demo market was opened with its accounts; without it nobody could sign in with them. */
  demoAccounts: z.boolean(),
});

export const settingsApi = {
  publicSettings: endpoint("public")
    .route({
      method: "GET",
      path: "/settings/public",
      operationId: "publicSettings",
      tags: ["settings"],
      summary: "Brand, support address, currency and deposit share",
    })
    .output(publicSettings),
};
