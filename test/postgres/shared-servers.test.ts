/**
 * Races and crashes of two server processes on one PostgreSQL. All suites share one pair of servers in sequence, because
 * starting and warming them takes seconds. `-t "part of a title"` runs one suite. Data of earlier suites remains, so each
 * checks only its own bookings and users. TEST_DEEP=1 runs the full numbers.
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

// `live` counts broadcasts, so it runs first. `balances` and `crash` kill servers, so they run last and the others use warm ones.
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
