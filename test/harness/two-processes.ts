/** Two processes of one installation, for jobs that must do each action once. */

import { afterAll, beforeAll } from "vitest";
import { type TestApp, testApp } from "#test/test-app.ts";

/**
 * Opens both before a file's tests, on 21 November 2026 at 6:00 in Austin, passes the first one to `take`, and closes them
 * afterwards. Returns a function for both.
 */
export function twoProcesses(take: (app: TestApp) => void): () => readonly TestApp[] {
  const apps: TestApp[] = [];
  beforeAll(async () => {
    const app = await testApp({ now: new Date("2026-11-21T12:00:00Z") });
    apps.push(app, await testApp({ beside: app }));
    take(app);
  });
  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close();
  });
  return () => apps;
}
