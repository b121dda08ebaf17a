/** Every table with its personal data: the source of the user's export, erasure, nightly age limits, the operator's export and docs/personal-data.md. A new column must be added here (test/architecture). */

import { accountsTables } from "./accounts.ts";
import { bookingsTables } from "./bookings.ts";
import { moneyTables } from "./money.ts";

export const personalDataTables = [...accountsTables, ...bookingsTables, ...moneyTables];
