/** Delivers signed events to the shop's webhook with retries. Ends sessions and decides disputes when due. Survives a restart. */

import { createHmac } from "node:crypto";
import type { WebhookSender } from "#gateway/gateway.ts";
import type { Database } from "#platform/db/index.ts";
import type { Log } from "#platform/log.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { endSession } from "./calls.ts";
import { ageDispute } from "./disputes/changes.ts";
import { type Due, hasDue, setDue, claimDue } from "./due.store.ts";
import type { StoredSession } from "./objects.ts";

const tickMs = 1_000;
const atOnce = 20;
const maxAttempts = 16;
const leaseSeconds = 30;
const backoff = { firstSeconds: 2, maxSeconds: 3_600 };

type Parts = Readonly<{
  database: Database;
  log: Log;
  secrets: { webhookSecret: string; connectWebhookSecret: string };
  now(): number;
  send(): WebhookSender;
}>;

export type Delivery = {
  /** Delivers what is due now. Resolves after each was tried. A failure is logged, and rejects. */
  flush: () => Promise<void>;
  stop: () => Promise<void>;
};

export function startDelivery(parts: Parts): Delivery {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const flush = () => {
    const delivered = running.then(async () => {
      if (stopped || !(await hasDue(parts.database.db, ["checkout.session", "dispute", "event"], parts.now()))) return;
      await endDueSessions(parts);
      await ageDueDisputes(parts);
      while (!stopped && (await deliverSome(parts)) > 0);
    });
    running = delivered.catch((error: unknown) =>
      parts.log.error({ err: error }, "the sandbox could not deliver its events"),
    );
    return delivered;
  };
  const timer = setInterval(() => void flush().catch(() => undefined), tickMs);
  timer.unref();
  return {
    flush,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function endDueSessions(parts: Parts): Promise<void> {
  const now = parts.now();
  await parts.database.transaction(async (tx) => {
    const due = await claimDue(tx, "checkout.session", now, atOnce);
    for (const row of due) await endSession(tx, row.body as StoredSession, now);
  });
}

async function ageDueDisputes(parts: Parts): Promise<void> {
  const now = parts.now();
  await parts.database.transaction(async (tx) => {
    for (const { id } of await claimDue(tx, "dispute", now, atOnce)) await ageDispute(tx, id, now);
  });
}

async function deliverSome(parts: Parts): Promise<number> {
  const now = parts.now();
  const due = await parts.database.transaction(async (tx) => {
    const rows = await claimDue(tx, "event", now, atOnce);
    await setDue(tx, rows, now + leaseSeconds);
    return rows;
  });
  await Promise.all(due.map((event) => deliver(parts, event)));
  return due.length;
}

async function deliver(parts: Parts, event: Due): Promise<void> {
  const body = JSON.stringify(event.body);
  const at = parts.now();
  const { account } = event.body as { account?: string };
  const endpoint = account ? "connect" : "account";
  const secret = parts.secrets[account ? "connectWebhookSecret" : "webhookSecret"];
  const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": `t=${at},v1=${signature}` };
  const received = await parts
    .send()(body, headers, endpoint)
    .catch((error: unknown) => {
      parts.log.warn({ err: error, eventId: event.id }, "the sandbox could not deliver an event; it tries again");
      return false;
    });
  const attempts = event.attempts + 1;
  const over = received || attempts >= maxAttempts;
  await parts.database.transaction((tx) =>
    setDue(tx, [event], over ? null : parts.now() + backoffSeconds(attempts, backoff), attempts),
  );
}
