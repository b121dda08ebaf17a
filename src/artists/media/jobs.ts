import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { encodeNextAvif, sweepFiles } from "./files.ts";

export const artistsJobs: readonly Job<PlatformServices>[] = [
  {
    name: "encode-avif",
    when: { everySeconds: 10, wokenBy: ["pictures"] },
    whenMoved: "never",
    run: async (services) => {
      while (await encodeNextAvif(services));
    },
  },
  { name: "sweep-artist-files", when: { daily: "04:23" }, whenMoved: "daily", run: sweepFiles },
];
