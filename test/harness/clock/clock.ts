/** The demo clock in tests: an app whose real clock does not advance, and moves of its demo clock. */

import { type RawBuilder, sql } from "kysely";
import { bookingKey } from "#bookings/index.ts";
import { earliestMoments } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

export type Moved = { now: string; ran: { name: string; times: number }[]; message?: string };

/** Limit in ms for a move by weeks, which runs hundreds of jobs. */
export const longMoveMs = 300_000;
/** The current time of every test, a Sunday morning in Austin. */
export const start = new Date("2027-01-10T15:00:30.250Z");

/** Opens an app whose real clock does not advance, so every time is known to the millisecond. */
export async function stillApp(): Promise<TestApp> {
  const app = await testApp({ now: start });
  app.clock.now = () => start;
  return app;
}

/** Requests a move by an ISO duration. Returns status and body. */
export async function advance(app: TestApp, duration: unknown): Promise<{ status: number; body: Moved }> {
  const response = await app.request("/api/dev/clock", { body: { advance: duration } });
  return { status: response.status, body: (await response.json()) as Moved };
}
export const nowOf = async (app: TestApp) =>
  ((await (await app.request("/api/dev/clock")).json()) as { now: string }).now;

export const endShow = (app: TestApp, id: string, end: Date) =>
  sql`update bookings set starts_at = ${new Date(end.getTime() - 3 * hourMs)}, ends_at = ${end} where id = ${id}`.execute(
    app.database.db,
  );

export const reportNoShow = (app: TestApp, id: string) =>
  app.request(`/api/bookings/${id}/no-show`, {
    headers: { cookie: `bookings=${bookingKey(app.services.keys, id)}` },
    body: { note: "Nobody came to the stage." },
  });

/** Returns the earliest time of a job's query after `after`, at which a moved clock stops. */
export async function earliestAfter(
  { database }: Pick<TestApp, "database">,
  moments: RawBuilder<unknown>,
  after: Date,
) {
  const name = "job";
  return (await earliestMoments(database.db, [{ name, moments, after }])).get(name) ?? null;
}
