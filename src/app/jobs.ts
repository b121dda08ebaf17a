import { activityJobs } from "#activity/index.ts";
import { artistsJobs } from "#artists/index.ts";
import { bookingsJobs } from "#bookings/index.ts";
import { calendarConnectionJobs } from "#calendar/connections/index.ts";
import { holdsJobs } from "#calendar/holds/index.ts";
import { externalCalendarJobs } from "#calendar/import/index.ts";
import { deliveryJobs } from "#delivery/index.ts";
import { disputesJobs } from "#disputes/index.ts";
import { invoicingJobs } from "#invoicing/index.ts";
import { isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { paymentsJobs } from "#payments/index.ts";
import type { Job } from "#platform/jobs.ts";
import { reconciliationJobs } from "#reconciliation/index.ts";
import { reviewsJobs } from "#reviews/index.ts";
import { settingsJobs } from "#settings/index.ts";
import { usersJobs } from "#users/index.ts";
import { readAttachment } from "./attachments.ts";
import { backupJob } from "./backup/daily-backup.ts";
import { componentJobs } from "./components/jobs.ts";
import { platformJobs } from "./platform-jobs.ts";
import type { Services } from "./services.ts";

export const jobs: readonly Job<Services>[] = [
  ...bookingsJobs,
  ...holdsJobs,
  ...paymentsJobs,
  ...disputesJobs,
  ...reconciliationJobs,
  ...invoicingJobs,
  ...reviewsJobs,
  ...artistsJobs,
  ...externalCalendarJobs,
  ...calendarConnectionJobs,
  ...deliveryJobs({ readAttachment, isErased, isSecret, templateTitle }),
  ...usersJobs,
  ...settingsJobs,
  ...activityJobs,
  ...platformJobs,
  backupJob,
  ...componentJobs,
];
