/**
 * Every table of the schema and what it holds about people. The export of a person's data, the erasure of an account, the age limits of the
 * nightly job, the operator's export and docs/personal-data.md are derived from these lists. A new column must be placed here (test/architecture).
 */
import { accountsTables } from "./accounts.ts";
import { bookingsTables } from "./bookings.ts";
import { moneyTables } from "./money.ts";

export const personalDataTables = [...accountsTables, ...bookingsTables, ...moneyTables];
