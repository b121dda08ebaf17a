/** Balance reminders of two server processes on one PostgreSQL: each once, even if one is killed. TEST_DEEP=1 runs the full numbers. */

import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeBooking } from "#test/factories/bookings.ts";
import { servers } from "./servers.ts";

const count = process.env["TEST_DEEP"] === "1" ? 400 : 40;

/** Returns the balance emails of these bookings. */
const balanceEmails = async (ids: readonly string[]) =>
  servers.database.db
    .selectFrom("messages")
    .select(["ref_id", "recipient"])
    .where("template", "=", "balance_due")
    .where("ref_id", "in", ids)
    .execute();

export function balances(): void {
  test("sends one email and records one step per due balance from both processes, even after a kill", async () => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      await servers.database.transaction(async (tx) => {
        const artist = await makeArtist(tx, { name: `Act ${index} ${Date.now()}` });
        const eventDate = new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10);
        ids.push((await makeBooking(tx, { artistId: artist.id, status: "contract_signed", eventDate })).id);
      });
    await expect.poll(async () => (await balanceEmails(ids)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await servers.servers[0]?.kill();
    await servers.servers[0]?.start();
    await expect.poll(async () => (await balanceEmails(ids)).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
    const emails = await balanceEmails(ids);
    expect(emails.map(({ ref_id }) => ref_id ?? "").toSorted()).toEqual(ids.toSorted());
    const steps = await servers.database.db
      .selectFrom("balance_steps")
      .select(["booking_id", "step"])
      .where("booking_id", "in", ids)
      .execute();
    expect(steps.map(({ booking_id, step }) => `${booking_id} ${step}`).toSorted()).toEqual(
      ids.map((id) => `${id} due`).toSorted(),
    );
  }, 120_000);
}
