import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { sweepLogos } from "./logo.ts";

export const settingsJobs: readonly Job<PlatformServices>[] = [
  { name: "sweep-logos", when: { daily: "04:41" }, whenMoved: "never", run: sweepLogos },
];
