/**
 * Every table of the schema with its personal data. The user's export, the erasure of an account, the age limits of the nightly job, the
 * operator's export and docs/personal-data.md are derived from these lists. A new column must be added here (test/architecture).
 */
import { accountsTables } from "./accounts.ts";
import { bookingsTables } from "./bookings.ts";
import { moneyTables } from "./money.ts";

export const personalDataTables = [...accountsTables, ...bookingsTables, ...moneyTables];
