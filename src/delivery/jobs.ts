import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { deliverMessages, type DeliveryOptions } from "./deliver.ts";

export const deliveryJobs = (options: DeliveryOptions): readonly Job<PlatformServices>[] => [
  {
    name: "deliver-messages",
    when: { everySeconds: 2, wokenBy: ["messages"] },
    whenMoved: "never",
    leavesWork: false,
    run: async (services) => {
      await deliverMessages(services, options);
    },
  },
];
