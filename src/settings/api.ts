import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { keyedServices } from "./choices.rules.ts";
import { platformShape, promoterShape } from "./rules.ts";

const endpoint = endpointsOf("settings");

export const publicSettings = z.object({
  primaryColor: z.string(),
  logoUrl: z.string(),
  supportEmail: z.string(),
  legalPages: z.array(z.object({ label: z.string(), href: z.string() })),
  currency: z.string(),
  depositPercent: z.number().int(),
  timeZone: z.string(),
  demo: z.boolean(),
  demoAccounts: z.boolean(),
  singleSignOn: z.string().nullable(),
  /** The host that passkeys belong to, from PUBLIC_URL. Null if passkeys are not available. */
  passkeyHost: z.string().nullable(),
  /** How far demo mode has moved the clock ahead of the real one, in milliseconds. */
  clockAheadMs: z.number().int(),
});

/** A document of settings: its values, the version to return with a change (0 = never saved), and when it was saved. */
export const settingsDocument = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ values: z.object(shape), version: z.int(), saved_at: z.date().nullable() });

/** A change of some entries, based on a version. An outdated version returns a conflict (409) with the current document. */
export const settingsChange = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject({ values: z.strictObject(shape).partial(), version: z.int().min(0) });

const bookingDefaults = z.object({
  clientName: z.string().nullable(),
  clientPhone: z.string().nullable(),
  duration: z.string().nullable(),
});
export type BookingDefaults = z.infer<typeof bookingDefaults>;

const storedKey = z.object({
  stored: z.boolean(),
  ending: z.string().describe("The last four characters of a long key"),
});

const platformDocument = settingsDocument(platformShape).extend({
  esign_keys: z.object({ docuseal: storedKey, docusign: storedKey }),
  saved_by: z.string().nullable().describe("The name of the user who saved last"),
  priced_artists: z.int().describe("Active artists with a price; they must confirm it after a change of the currency"),
  open_bookings: z.int().describe("Open bookings; their terms do not change"),
});

export const settingsApi = {
  publicSettings: endpoint("public", "GET /settings/public", "publicSettings", { replica: true })
    .route({ summary: "Brand, support address, legal pages, currency and deposit share" })
    .output(publicSettings),
  bookingDefaults: endpoint("signed-in", "GET /me/booking-defaults", "readBookingDefaults")
    .route({ summary: "The default values of the booking form from the promoter's settings" })
    .output(bookingDefaults),
  platform: {
    read: endpoint("admin", "GET /admin/settings", "readPlatformSettings")
      .route({ summary: "The platform's settings; of the signing keys only the last characters" })
      .output(platformDocument),
    save: endpoint("admin", "PATCH /admin/settings", "savePlatformSettings")
      .route({ summary: "Change some of the platform's settings; the log records who changed them" })
      .input(settingsChange(platformShape))
      .output(platformDocument),
    saveEsignKey: endpoint("admin", "PUT /admin/settings/esign-key", "saveEsignKey")
      .route({ summary: "Store a signing service's key encrypted, or delete it (empty)" })
      .input(
        z.strictObject({
          service: z.enum(keyedServices),
          api_key: z
            .string()
            .trim()
            .max(500)
            .regex(/^[\x21-\x7e]*$/, "A key has letters, digits and signs, and no spaces."),
        }),
      )
      .output(platformDocument),
  },
  promoter: {
    read: endpoint("promoter", "GET /promoter/settings", "readPromoterSettings")
      .route({ summary: "The signed-in promoter's settings" })
      .output(settingsDocument(promoterShape)),
    save: endpoint("promoter", "PATCH /promoter/settings", "savePromoterSettings")
      .route({ summary: "Change some of the promoter's settings" })
      .input(settingsChange(promoterShape))
      .output(settingsDocument(promoterShape)),
  },
};
