/**
 * Races and crashes through two server processes on one PostgreSQL. A pair of servers takes seconds to start and is slow until it is warm, so
 * that all suites use one pair, one after the other; `-t "part of a title"` runs one of them. What is left of one suite is in the database
 * of the next: each looks at its own bookings and people only. TEST_DEEP=1 runs the full numbers.
 */
import { describe } from "vitest";
import { acceptanceRaces } from "./shared-servers/acceptance-races.ts";
import { balances } from "./shared-servers/balances.ts";
import { calendarOperations } from "./shared-servers/calendar-operations.ts";
import { contractRaces } from "./shared-servers/contract-races.ts";
import { crash } from "./shared-servers/crash.ts";
import { holdRaces } from "./shared-servers/hold-races.ts";
import { lastAdmin } from "./shared-servers/last-admin.ts";
import { live } from "./shared-servers/live.ts";
import { checkoutRaces } from "./shared-servers/races.ts";
import { reviewRaces } from "./shared-servers/reviews.ts";

// `live` counts what is broadcast: first, while nothing else is going on. `balances` and `crash` kill servers: last, so that the others meet
// warm ones.
const suites = {
  "live between two processes": live,
  "checkouts of one evening": checkoutRaces,
  "requests without a deposit": acceptanceRaces,
  "ranked holds of one night": holdRaces,
  "every way to take a night": calendarOperations,
  "signing, declining and canceling": contractRaces,
  "the last admin": lastAdmin,
  "reviews at the same moment": reviewRaces,
  "balances, with a kill": balances,
  "kill -9": crash,
};
describe.each(Object.entries(suites))("%s", (_name, suite) => {
  suite();
});
