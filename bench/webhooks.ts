/** Measures responses to fifty webhooks a second. Each is stored before its response, and processed once by a fetch from the provider. */

import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { activeSlugs, bookingForms } from "./api.ts";
import type { BenchFixture } from "./fixture.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const perSecond = 50;
const seconds = 20;
const paidBookings = 25;
const barMs = 250;

/** Books a date and opens its checkout. Without an address this artist requires no deposit for it. */
export async function openCheckout(origin: string, form: object): Promise<{ id: string; url: string | null }> {
  const post = async (address: string, body: object, cookie = "") => {
    const response = await fetch(new URL(address, origin), {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
      redirect: "manual",
    });
    if (response.status >= 400) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response;
  };
  const requested = await post("/api/bookings", form);
  const cookie = requested.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { id } = (await requested.json()) as { id: string };
  const opened = await post("/api/functions/create-contract-and-checkout", { booking_id: id }, cookie);
  const { checkout_url: url } = (await opened.json()) as { checkout_url: string | null };
  return { id, url };
}

export async function payCheckout(origin: string, url: string): Promise<void> {
  await fetch(new URL(`${new URL(url).pathname}/pay`, origin), { method: "POST", redirect: "manual" });
}

function delivery(secret: string, session: string) {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "checkout.session.completed",
    livemode: false,
    data: { object: { id: session } },
  });
  const second = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", secret).update(`${second}.${body}`).digest("hex");
  return { body, headers: { "content-type": "application/json", "stripe-signature": `t=${second},v1=${signature}` } };
}

/** Sends one webhook each twentieth of a second, regardless of earlier responses. Returns the response times in ms. */
async function send(origin: string, secret: string, sessions: readonly string[]): Promise<number[]> {
  const began = performance.now();
  const answers: Promise<number>[] = [];
  for (let count = 0; count < perSecond * seconds; count++) {
    await pause(Math.max(0, began + (count * 1_000) / perSecond - performance.now()));
    const { body, headers } = delivery(secret, sessions[count % sessions.length] ?? "");
    const sent = performance.now();
    answers.push(
      fetch(`${origin}/api/webhooks/stripe`, { method: "POST", headers, body }).then(async (response) => {
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`a webhook was answered ${response.status}`);
        return performance.now() - sent;
      }),
    );
  }
  return Promise.all(answers);
}

export async function benchWebhooks(fixture: BenchFixture): Promise<Figure[]> {
  const { db } = fixture.database;
  await using product = await fixture.startProduct("all");
  const nextForm = bookingForms(await activeSlugs(fixture));
  for (let count = 0; count < paidBookings;) {
    const { url } = await openCheckout(product.origin, nextForm());
    if (url === null) continue;
    await payCheckout(product.origin, url);
    count += 1;
  }
  const paid = db.selectFrom("payments").select("provider_ref").where("provider_ref", "is not", null);
  const sessions = (await paid.execute()).map((row) => row.provider_ref ?? "");
  const { rows } = await sql<{ secret: string }>`
    select body->>'webhookSecret' as secret from sandbox_objects where kind = 'secrets'`.execute(db);
  /** One statement: an event that is processed between two would be counted in neither. */
  const count = async () => {
    const counted = await sql<{ all: number; waiting: number }>`
      select count(*) as all, count(*) filter (where processed_at is null) as waiting from provider_events`.execute(db);
    return counted.rows[0] ?? { all: 0, waiting: 0 };
  };
  const before = (await count()).all;
  const times = await send(product.origin, rows[0]?.secret ?? "", sessions);
  const answered = performance.now();
  const stored = (await count()).all - before;
  if (stored !== times.length) throw new Error(`${times.length} webhooks were answered, and ${stored} were stored`);
  while ((await count()).waiting > 0) {
    if (performance.now() - answered > 120_000) throw new Error("the webhooks were not processed within two minutes");
    await pause(100);
  }
  const late = ((performance.now() - answered) / 1_000).toFixed(1);
  const note = `${times.length} at ${perSecond}/s, all stored; processed ${late} s after the last`;
  return [
    atMost("webhook answered, p50", quantile(times, 0.5), barMs, "ms", note),
    atMost("webhook answered, p99", quantile(times, 0.99), barMs, "ms", note),
  ];
}
