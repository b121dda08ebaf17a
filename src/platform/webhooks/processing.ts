import { sql } from "kysely";
import { errorMessage } from "../errors.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PlatformServices } from "../services/index.ts";
import { dayMs } from "../time/durations.rules.ts";
import { backoffSeconds } from "../time/retry.ts";
import { claimEvents, type ClaimedEvent, finishEvent, type WebhookSource } from "./webhooks.store.ts";

export const maxEventAttempts = 8;
/** As long as a provider itself repeats a webhook. */
const maxOutageMs = 3 * dayMs;
const backoff = { firstSeconds: 5, maxSeconds: 1_800 };

type Processing = Readonly<{
  source: WebhookSource;
  /** Returns a note for the list of events if something was unusual. */
  handle(event: ClaimedEvent): Promise<string | null | void>;
  /** Returns true for a failure that uses up no attempt, because the provider was away. */
  isOutage?: (error: unknown) => boolean;
  abandoned?: (event: ClaimedEvent) => Promise<void>;
}>;

type Services = Pick<PlatformServices, "database" | "clock" | "log">;

/** Processes every due event of a source. Several processes may run it. Each event is claimed by one of them. */
export async function processWebhooks(services: Services, processing: Processing): Promise<void> {
  const { database, clock } = services;
  for (;;) {
    const claimed = await database.transaction((tx) => claimEvents(tx, processing.source, clock.now()));
    if (claimed.length === 0) return;
    for (const event of claimed) {
      try {
        const note = (await processing.handle(event)) ?? null;
        await finishEvent(database, event.id, { processed_at: clock.now(), last_error: note });
      } catch (error) {
        await postpone(services, processing, event, error);
      }
    }
  }
}

async function postpone(
  { database, clock, log }: Services,
  { isOutage, abandoned }: Processing,
  event: ClaimedEvent,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  const age = now.getTime() - event.received_at.getTime();
  const isAway = isOutage?.(error) ?? false;
  // An outage uses up no attempt. It waits as long as the event has waited so far, so each wait is twice the last.
  const attempts = event.attempts + (isAway ? 0 : 1);
  const dead = isAway ? age > maxOutageMs : attempts >= maxEventAttempts;
  const seconds = isAway
    ? Math.min(backoff.maxSeconds, Math.max(backoff.firstSeconds, age / 1_000))
    : backoffSeconds(attempts, backoff);
  const { id, provider } = event;
  log[dead ? "error" : "warn"]({ err: error, eventId: id, provider, attempts }, "a webhook could not be processed");
  await finishEvent(database, id, {
    attempts,
    last_error: errorMessage(error).slice(0, 500),
    next_try_at: dead ? now : new Date(now.getTime() + seconds * 1_000),
    dead_at: dead ? now : null,
  });
  if (dead) await abandoned?.(event);
}

export const webhookJob = <S>(name: string, source: WebhookSource, run: (services: S) => Promise<void>): Job<S> => ({
  name,
  when: { everySeconds: 2, wokenBy: ["provider_events"] },
  whenMoved: sql`
    select next_try_at as at from provider_events
    where source = ${source} and processed_at is null and dead_at is null`,
  run,
});
