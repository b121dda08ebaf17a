import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { syncDueCalendars } from "./sync.ts";
import { noticeTimes } from "./views.ts";

export const externalCalendarJobs: readonly Job<PlatformServices>[] = [
  { name: "read-due-calendars", when: { everySeconds: 60 }, whenMoved: noticeTimes, run: syncDueCalendars },
];
