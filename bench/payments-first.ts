/** Measures the time from a deposit's payment to the booking's new status while a thousand booking requests wait for their emails. */

import { setTimeout as pause } from "node:timers/promises";
import { activeSlugs, bookingForms } from "./api.ts";
import type { BenchFixture } from "./fixture.ts";
import { atMost, type Figure, quantile } from "./report.ts";
import { openCheckout, payCheckout } from "./webhooks.ts";

const waitingRequests = 1_000;
const payments = 20;
const atOnce = 10;
const barMs = 1_000;
const maxMs = 60_000;

export async function benchPaymentsFirst(fixture: BenchFixture): Promise<Figure[]> {
  const { db } = fixture.database;
  const nextForm = bookingForms(await activeSlugs(fixture), 120);
  const opened: { id: string; url: string }[] = [];
  {
    // It answers requests only: their events wait.
    await using web = await fixture.startProduct("web");
    while (opened.length < payments) {
      const { id, url } = await openCheckout(web.origin, nextForm());
      if (url !== null) opened.push({ id, url });
    }
    const request = async () => {
      const response = await fetch(`${web.origin}/api/bookings`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(nextForm()),
      });
      if (!response.ok) throw new Error(`a request was answered ${response.status}: ${await response.text()}`);
    };
    for (let sent = 0; sent < waitingRequests; sent += atOnce)
      await Promise.all(Array.from({ length: atOnce }, request));
  }
  await using product = await fixture.startProduct("all");
  while ((await requestsWaiting(fixture)) >= waitingRequests) await pause(10);
  const times: number[] = [];
  for (const { id, url } of opened) {
    const paid = performance.now();
    await payCheckout(product.origin, url);
    const isApplied = async () => {
      const booking = db.selectFrom("bookings").select("status").where("id", "=", id);
      return (await booking.executeTakeFirstOrThrow()).status !== "initiated";
    };
    while (!(await isApplied())) {
      if (performance.now() - paid > maxMs) throw new Error("a payment was not applied within a minute");
      await pause(10);
    }
    times.push(performance.now() - paid);
  }
  const left = await requestsWaiting(fixture);
  const note = `${payments} payments behind ${waitingRequests} requests, of which ${left} still waited after the last`;
  return [atMost("deposit paid behind requests, p95", quantile(times, 0.95), barMs, "ms", note)];
}

async function requestsWaiting({ database }: BenchFixture): Promise<number> {
  const { left } = await database.db
    .selectFrom("event_outbox")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("topic", "=", "booking.requested")
    .executeTakeFirstOrThrow();
  return Number(left);
}
