import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { syncDueConnections } from "./sync.ts";
import { noticeTimes } from "./views.ts";

export const calendarConnectionJobs: readonly Job<PlatformServices>[] = [
  {
    name: "write-calendar-connections",
    when: { everySeconds: 60, wokenBy: ["bookings"] },
    whenMoved: noticeTimes,
    run: syncDueConnections,
  },
];
