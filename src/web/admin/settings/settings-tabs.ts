import { paths } from "#platform/site-paths.rules.ts";
import type { PageTab } from "../../dashboard/page-tabs.tsx";

export const platformTabs = {
  payments: "Payments",
  esign: "E-Sign",
  notifications: "Notifications",
  brand: "Brand",
  integrations: "Integrations",
} as const;

export const componentsTab: PageTab = { name: "components", label: "Components", to: paths.admin.components };
