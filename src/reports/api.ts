import { z } from "zod";
import { bookingStatusNames } from "#bookings/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { adminContractsApi } from "./lists/contracts.api.ts";
import { adminPaymentsApi, listedArtist } from "./lists/payments.api.ts";
import { searchApi } from "./search/search.api.ts";

const endpoint = endpointsOf("overviews");

/** Sums of money, one per currency. They are never added. */
export const sums = z.array(z.object({ currency: z.string(), amount: z.int() }));

export const overviewShow = z.object({
  id: z.uuid(),
  event_date: z.iso.date(),
  event_time: z.string(),
  event_type: z.string(),
  guest_count: z.int().nullable(),
  venue_name: z.string(),
  promoter_name: z.string(),
  status: z.enum(bookingStatusNames),
  balance_paid: z.boolean(),
  fee_cents: z.int(),
  kept_cents: z.int().describe("What is left of the payments after refunds and lost disputes"),
  currency: z.string(),
  artist: listedArtist,
});
export type OverviewShow = z.infer<typeof overviewShow>;

/** The server's backups. `late`: none was verified in the last eight days. `failed`: the last one could not be restored. */
export const backupOverview = z.object({
  state: z.enum(["none", "verified", "late", "failed"]),
  last_verified_at: z.date().nullable(),
  compared_tables: z.int().nullable().describe("The number of tables that the test restore compared"),
  compared_rows: z.int().nullable(),
  bytes: z.int().nullable(),
  last_failure: z.object({ at: z.date(), message: z.string() }).nullable(),
});
export type BackupOverview = z.infer<typeof backupOverview>;

export const adminOverview = z.object({
  /** First and last of the thirty days, in the platform's time zone. */
  from: z.iso.date(),
  to: z.iso.date(),
  bookings: z.int(),
  bookings_before: z.int().describe("In the previous thirty days"),
  payments: z.int().describe("Payments that succeeded"),
  revenue: sums.describe("Captured minus refunded"),
  contracts_signed: z.int(),
  active_artists: z.int(),
  before: z
    .object({
      currency: z.string(),
      revenue: z.int(),
      contracts_signed: z.int(),
      active_artists: z.int().describe("The currently active artists that existed before the window"),
    })
    .describe("The previous thirty days; revenue in the platform's currency"),
  money_in: z
    .object({
      currency: z.string(),
      months: z.array(z.object({ month: z.string(), deposit_cents: z.int(), balance_cents: z.int() })),
      other_currencies: z
        .array(z.string())
        .describe("Currencies of payments in these months that the amounts leave out"),
    })
    .describe("The payments of promoters in each of the last twelve months, oldest first, in the platform's currency"),
  needs: z.object({
    claims: z.int(),
    admin_requests: z.int(),
    late_contracts: z
      .array(z.object({ id: z.uuid(), number: z.string(), artist: z.string() }))
      .describe("The five oldest paid bookings without a contract for 20 hours"),
    late_count: z.int().describe("How many paid bookings have no contract for 20 hours"),
  }),
  by_status: z.array(z.object({ status: z.enum(bookingStatusNames), count: z.int() })),
  next_shows: z.array(overviewShow),
  backup: backupOverview,
});
export type AdminOverview = z.infer<typeof adminOverview>;

export const artistOverview = z.object({
  month_from: z.iso.date(),
  has_profile: z.boolean().describe("False until the account owns an artist record"),
  price_to_confirm: z
    .string()
    .nullable()
    .describe(
      "The platform's currency if the artist's rates are in a former one and the artist cannot be booked; otherwise null",
    ),
  payment_account: z
    .enum(["restricted", "not_started", "pending", "ended"])
    .nullable()
    .describe(
      "Why the artist's payment account needs the artist: always if it is restricted, else while money is owed that it cannot receive",
    ),
  open_steps: z
    .array(z.enum(["media", "payment_account"]))
    .describe(
      "What the profile still lacks: a photo, a video, pictures or samples, and a payment account if cards are accepted",
    ),
  upcoming_shows: z.int(),
  awaiting_signature: z.int().describe("Contracts that the artist can sign now"),
  deposits: z.int(),
  deposits_sum: sums.describe("Deposits of this month, less refunds and what the payer's bank took in lost disputes"),
  balances: z.int(),
  outstanding: sums.describe("Unpaid balances of confirmed bookings"),
  next_show: overviewShow.nullable(),
  ahead: z.array(overviewShow).describe("The next requests and shows, at most five"),
  held: z.array(
    z.object({
      id: z.uuid(),
      event_date: z.iso.date(),
      promoter_name: z.string(),
      time_zone: z.string(),
      expires_at: z.date(),
    }),
  ),
});
export type ArtistOverview = z.infer<typeof artistOverview>;

export const overviewsApi = {
  admin: endpoint("admin", "GET /admin/overview", "adminOverview")
    .route({ summary: "The last thirty days of the platform" })
    .output(adminOverview),
  artist: endpoint("artist", "GET /artist/overview", "artistOverview")
    .route({ summary: "The shows and deposits of the signed-in artist" })
    .output(artistOverview),
};

export const reportsApi = { contracts: adminContractsApi, payments: adminPaymentsApi, search: searchApi };
