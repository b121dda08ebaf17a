import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // A page loads its own routes. Those behind its links are fetched afterwards (docs/decisions/0001).
  routeDiscovery: { mode: "lazy" },
} satisfies Config;
