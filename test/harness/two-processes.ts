/** Two processes of one installation, for jobs that must do each thing once. */
import { afterAll, beforeAll } from "vitest";
import { type TestApp, testApp } from "#test/test-app.ts";

/**
 * Opens both before the tests of a file, on 21 November 2026 at 6:00 in Austin, hands the first one over, and closes them after the tests.
 * Answers how to reach them.
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
