import type { ComponentName } from "#app/components/rules.ts";
import { testComponent } from "#app/components/test-component.ts";
import { reportComponents } from "#app/components/views.ts";
import type { Services } from "#app/services.ts";
import { readConfig } from "#platform/config.ts";
import type { TestApp } from "#test/test-app.ts";

/** Tests components of an app, `withEnv` with other settings, without the limit of five seconds, too short under load. */
export const componentsOf = (app: TestApp) => ({
  withEnv: (env: Record<string, string>, more: Partial<Services> = {}): Services => ({
    ...app.services,
    config: readConfig({ DEMO: "1", DATA_DIR: app.dataDir, ...env }),
    ...more,
  }),
  async tried(services: Services, name: ComponentName) {
    const outcome = await testComponent(services, name, { limitMs: 120_000 });
    const [item] = await reportComponents(services, [name]);
    return { ...outcome, status: item?.status, details: outcome.details ?? "" };
  },
});
