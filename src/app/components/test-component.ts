import { setTimeout } from "node:timers/promises";
import type { Payments } from "#gateway/gateway.ts";
import type { Database } from "#platform/db/index.ts";
import { errorMessage } from "#platform/errors.ts";
import { networkReason } from "#platform/http/outgoing/network-reason.ts";
import type { TestOptions } from "./component.ts";
import { withoutSecrets } from "./failure.ts";
import { components } from "./probes/index.ts";
import { ComponentFailure, type ComponentName, describeFailure } from "./rules.ts";
import { recordTest, type TestOutcome } from "./store.ts";

/** Results that could not be recorded during a database outage. They are written afterwards. */
const unrecorded = new WeakMap<Database, Map<ComponentName, TestOutcome>>();

export const hasUnrecorded = (database: Database): boolean => (unrecorded.get(database)?.size ?? 0) > 0;

/** Tests the component for at most five seconds and records the result. Never throws: a failure is a result with a message. */
export async function testComponent(services: Payments, name: ComponentName, options: TestOptions = {}) {
  const { limitMs = 5_000 } = options;
  const begun = performance.now();
  const used = { product: "" };
  const timeout = new Error(`TIMEOUT after ${limitMs / 1_000} seconds`);
  const outcome = await Promise.race([
    attempt(services, name, options, used),
    setTimeout(limitMs, undefined, { ref: false }).then(() => failed(services, name, used.product, timeout)),
  ]);
  const tested: TestOutcome = {
    name,
    ...outcome,
    testedAt: services.clock.now(),
    tookMs: Math.round(performance.now() - begun),
  };
  if (!tested.works)
    services.log.error({ component: name, details: tested.details, tookMs: tested.tookMs }, tested.message);
  await record(services, tested);
  return tested;
}

type Attempt = Pick<TestOutcome, "product" | "works" | "message" | "details">;

async function attempt(services: Payments, name: ComponentName, options: TestOptions, used: { product: string }) {
  try {
    used.product = (await components[name].inUse(services))?.product ?? "";
    const message = await components[name].test(services, options);
    return { product: used.product, works: true, message, details: null };
  } catch (error) {
    return failed(services, name, used.product, error);
  }
}

function failed(services: Payments, name: ComponentName, product: string, error: unknown): Attempt {
  const component = components[name];
  const reason = networkReason(error);
  const failure =
    error instanceof ComponentFailure
      ? error
      : new ComponentFailure(
          reason ? `No answer from ${component.address(services)}: ${reason}.` : "The test failed.",
          component.check(services, product),
          errorMessage(error),
        );
  return {
    product,
    works: false,
    message: describeFailure(name, failure.message, failure.check, failure.effect),
    details: failure.details === undefined ? null : withoutSecrets(failure.details, services.config),
  };
}

async function record({ database, log }: Payments, outcome: TestOutcome): Promise<void> {
  const waiting = unrecorded.get(database) ?? new Map<ComponentName, TestOutcome>();
  try {
    await database.transaction(async (tx) => {
      for (const one of [...waiting.values(), outcome]) await recordTest(tx, one);
    });
    waiting.clear();
  } catch (error) {
    log.warn({ err: error, component: outcome.name }, "the test of a component could not be recorded yet");
    unrecorded.set(database, waiting.set(outcome.name, outcome));
  }
}
