/** The endpoints of the settings module. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { promoterShape } from "./rules.ts";

/** What every page may know of the platform's settings. */
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

/** A document of settings: its values, the version to hand back with a change (0 = never saved), and when it was saved. */
export const settingsDocument = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ values: z.object(shape), version: z.int(), saved_at: z.date().nullable() });

/** A change of some entries, made from a version. A stale one is answered 409 with the fresh document. */
export const settingsChange = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject({ values: z.strictObject(shape).partial(), version: z.int().min(0) });

/** What the booking form fills in for a person; null where nothing is known. */
const bookingDefaults = z.object({
  clientName: z.string().nullable(),
  clientPhone: z.string().nullable(),
  duration: z.string().nullable(),
});
export type BookingDefaults = z.infer<typeof bookingDefaults>;

const tags = ["settings"];

export const settingsApi = {
  publicSettings: endpoint("public")
    .route({
      method: "GET",
      path: "/settings/public",
      operationId: "publicSettings",
      tags,
      summary: "Brand, support address, currency and deposit share",
    })
    .output(publicSettings),
  bookingDefaults: endpoint("signed-in")
    .route({
      method: "GET",
      path: "/me/booking-defaults",
      operationId: "readBookingDefaults",
      tags,
      summary: "What a promoter's settings put into the booking form",
    })
    .output(bookingDefaults),
  promoter: {
    read: endpoint("promoter")
      .route({
        method: "GET",
        path: "/promoter/settings",
        operationId: "readPromoterSettings",
        tags,
        summary: "The signed-in promoter's settings",
      })
      .output(settingsDocument(promoterShape)),
    save: endpoint("promoter")
      .route({
        method: "PATCH",
        path: "/promoter/settings",
        operationId: "savePromoterSettings",
        tags,
        summary: "Change some of the promoter's settings",
      })
      .input(settingsChange(promoterShape))
      .output(settingsDocument(promoterShape)),
  },
};
