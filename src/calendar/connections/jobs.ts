import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { syncDueConnections } from "./sync.ts";
import { nextConnectionNotice } from "./views.ts";

export const calendarConnectionJobs: readonly Job<PlatformServices>[] = [
  {
    name: "write-calendar-connections",
    purpose:
      "Writes shows that have changed to the CalDAV servers of artists and promoters, compares each calendar once an hour, and notifies the person of a connection that has failed for 24 hours.",
    when: { everySeconds: 60, wokenBy: ["bookings"] },
    whenMoved: ({ database }, after) => nextConnectionNotice(database.db, after),
    run: syncDueConnections,
  },
];
