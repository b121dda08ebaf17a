import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { componentNames } from "./rules.ts";
import { hasUnrecorded, testComponent } from "./test-component.ts";
import { listFailing, listSetUp } from "./views.ts";

export const componentJobs: readonly Job<Payments>[] = [
  {
    name: "test-components",
    when: { hourly: 23 },
    whenMoved: "real",
    leavesWork: false,
    run: async (services) => {
      for (const name of await listSetUp(services)) await testComponent(services, name);
    },
  },
  {
    name: "test-failing-components",
    when: { everySeconds: 60 },
    whenMoved: "real",
    leavesWork: false,
    run: async (services) => {
      const failing = await listFailing(services).catch(() => componentNames.slice(0, 1));
      const names = hasUnrecorded(services.database) ? new Set([componentNames[0], ...failing]) : failing;
      for (const name of names) await testComponent(services, name);
    },
  },
];
