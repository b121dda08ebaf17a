import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { encodeNextAvif, sweepFiles } from "./files.ts";

export const artistsJobs: readonly Job<PlatformServices>[] = [
  {
    name: "encode-avif",
    purpose: "Makes the smaller AVIF files of uploaded pictures.",
    when: { everySeconds: 10, wokenBy: ["pictures"] },
    whenMoved: async () => null,
    run: async (services) => {
      while (await encodeNextAvif(services));
    },
  },
  {
    name: "sweep-artist-files",
    purpose: "Removes pictures that no profile shows and files that no row names.",
    when: { daily: "04:23" },
    whenMoved: "daily",
    run: sweepFiles,
  },
];
