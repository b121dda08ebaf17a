import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // A page brings the routes it is made of; those behind its links are asked for once it stands (docs/decisions/0001).
  routeDiscovery: { mode: "lazy" },
} satisfies Config;
