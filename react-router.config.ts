import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // Every link of a page is in its routes already; a manifest fetched per link would cost a request and gain nothing.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
