import { activityJobs } from "#activity/index.ts";
import { artistsJobs } from "#artists/index.ts";
import { bookingsJobs } from "#bookings/index.ts";
import { calendarConnectionJobs } from "#calendar/connections/index.ts";
import { holdsJobs } from "#calendar/holds/index.ts";
import { externalCalendarJobs } from "#calendar/import/index.ts";
import { deliveryJobs } from "#delivery/index.ts";
import { disputesJobs } from "#disputes/index.ts";
import { invoicingJobs } from "#invoicing/index.ts";
import { ledgerJobs } from "#ledger/index.ts";
import { isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { paymentsJobs } from "#payments/index.ts";
import { deleteEndedLimits } from "#platform/db/platform.store.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { enforceRetention } from "#platform/personal-data/personal-data.store.ts";
import { reconciliationJobs } from "#reconciliation/index.ts";
import { reviewsJobs } from "#reviews/index.ts";
import { settingsJobs } from "#settings/index.ts";
import { usersJobs } from "#users/index.ts";
import { readAttachment } from "./attachments.ts";
import { backupJob } from "./backup/daily-backup.ts";
import { componentJobs } from "./components/jobs.ts";
import type { Services } from "./services.ts";

const platformJobs: readonly Job<Services>[] = [
  {
    name: "forget-old-limits",
    when: { everySeconds: 900 },
    whenMoved: "real",
    run: async ({ database, realClock }) => {
      await database.transaction((tx) => deleteEndedLimits(tx, realClock.now()));
    },
  },
  {
    name: "enforce-retention",
    when: { daily: "03:41" },
    whenMoved: "daily",
    leavesWork: false,
    run: async ({ database, clock, personalDataTables, log }) => {
      const changed = await enforceRetention(database, personalDataTables, clock.now());
      if (Object.keys(changed).length > 0) log.info({ changed }, "expired personal data was removed");
    },
  },
];

export const jobs: readonly Job<Services>[] = [
  ...bookingsJobs,
  ...holdsJobs,
  ...paymentsJobs,
  ...ledgerJobs,
  ...disputesJobs,
  ...reconciliationJobs,
  ...invoicingJobs,
  ...reviewsJobs,
  ...artistsJobs,
  ...externalCalendarJobs,
  ...calendarConnectionJobs,
  ...deliveryJobs({ readAttachment, isAccountNotice, isErased, isSecret, templateTitle }),
  ...usersJobs,
  ...settingsJobs,
  ...activityJobs,
  ...platformJobs,
  backupJob,
  ...componentJobs,
];
