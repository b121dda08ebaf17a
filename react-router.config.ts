import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // A public page loads its own routes. Those behind its links are fetched afterwards. Dashboards: web/server.ts.
  routeDiscovery: { mode: "lazy" },
} satisfies Config;
