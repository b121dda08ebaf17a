import { expect, test, vi } from "vitest";
import type { Payments } from "#gateway/gateway.ts";
import { processEach } from "#platform/jobs/jobs.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { sendBalanceReminders } from "./balance/balance-reminders.ts";
import { requestShowConfirmations } from "./completion/show-confirmation.ts";
import { endUnpaidBalances } from "./completion/unpaid-balances.ts";
import { watchContracts } from "./contract/deadlines.ts";
import { completeShows, expireUnpaid } from "./jobs.ts";

const app = closeAfterFile(await testApp());

const ago = (hours: number) => new Date(app.clock.now().getTime() - hours * hourMs);
type Given = Parameters<TestApp["make"]["booking"]>[0] & { over?: number; requestedDaysAgo?: number };

async function made({ over = -500, requestedDaysAgo, ...given }: Given) {
  const { id } = await app.make.booking({ now: app.clock.now(), ...given });
  const { db } = app.database;
  await db
    .updateTable("bookings")
    .set({ starts_at: ago(over + 3), ends_at: ago(over) })
    .where("id", "=", id)
    .execute();
  if (requestedDaysAgo !== undefined)
    await db
      .insertInto("balance_schedules")
      .values({ booking_id: id, started_at: ago(requestedDaysAgo * 24), last_step: "decision" })
      .execute();
  return id;
}

/** Returns services with a database that commits nothing, and with spies on the log and on wake. */
function broken() {
  const wake = vi.fn<() => void>();
  const logged = vi.fn<(what: { bookingId?: string }) => void>();
  const log = { ...app.services.log, warn: logged, error: logged } as unknown as Payments["log"];
  const transaction = () => Promise.reject(new Error("the database takes no writes"));
  const services: Payments = { ...app.services, log, wake, database: { ...app.database, transaction } };
  return { services, wake, failed: () => logged.mock.calls.map(([{ bookingId }]) => bookingId) };
}

test.each([
  ["request-show-confirmations", requestShowConfirmations, { status: "contract_signed", balancePaid: true, over: 1 }],
  ["complete-shows", completeShows, { status: "contract_signed", balancePaid: true, over: 72 }],
  ["end-unpaid-balances", endUnpaidBalances, { status: "contract_signed", over: 31 * 24, requestedDaysAgo: 31 }],
  ["expire-unpaid-requests", expireUnpaid, { status: "initiated", over: 1 }],
  ["send-balance-reminders", sendBalanceReminders, { status: "contract_signed" }],
  ["watch-contracts", watchContracts, { status: "deposit_paid", over: 1 }],
] as const)("%s wakes other jobs only if an item succeeded", async (_name, job, given) => {
  const id = await made(given);
  const { services, wake, failed } = broken();
  await job(services);
  expect(failed()).toContain(id);
  expect(wake).not.toHaveBeenCalled();

  await job({ ...app.services, wake });
  expect(wake).toHaveBeenCalled();
  wake.mockClear();
  const again = broken();
  await job(again.services);
  expect(again.failed()).not.toContain(id);
});

test.each([
  ["request-show-confirmations", requestShowConfirmations, { status: "contract_signed", balancePaid: true, over: 2 }],
  ["expire-unpaid-requests", expireUnpaid, { status: "initiated", over: 1 }],
  ["send-balance-reminders", sendBalanceReminders, { status: "contract_signed", over: -500 }],
] as const)("%s reaches an item that is due after a hundred others that fail", async (_name, job, given) => {
  const failing = await Promise.all(Array.from({ length: 100 }, () => made({ ...given, over: given.over + 1 })));
  const id = await made(given);
  const { services, failed } = broken();
  await expect.poll(() => job(services).then(failed)).toContain(id);
  const others = app.database.db.updateTable("bookings").set({ status: "canceled" });
  await others.where("id", "in", [...failing, id]).execute();
});

test("processEach wakes once if an item succeeded, also when others failed", async () => {
  const wake = vi.fn<() => void>();
  const failed = vi.fn<(error: unknown, one: number) => void>();
  const work = async (one: number) => {
    if (one > 1) throw new Error("no");
    return one === 1;
  };
  await processEach({ wake }, [0, 2, 3], { work, failed });
  expect(wake).not.toHaveBeenCalled();
  await processEach({ wake }, [0, 1, 2], { work, failed });
  expect(wake).toHaveBeenCalledOnce();
  expect(failed.mock.calls.map(([, one]) => one)).toEqual([2, 3, 2]);
});
