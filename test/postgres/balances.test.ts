/** Two server processes ask for the balances of one PostgreSQL: each once, also when one of them is killed. TEST_DEEP=1 runs the full numbers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeArtist } from "#test/factories/artists.ts";
import { makeBooking } from "#test/factories/bookings.ts";
import { type TwoServers, twoServers } from "./two-servers.ts";

const count = process.env["TEST_DEEP"] === "1" ? 400 : 40;
const dayMs = 86_400_000;

let servers: TwoServers;
beforeAll(async () => {
  servers = await twoServers({});
}, 120_000);
afterAll(() => servers.close(), 60_000);

const asked = async () =>
  servers.database.db
    .selectFrom("messages")
    .select(["ref_id", "recipient"])
    .where("template", "=", "balance_due")
    .execute();

test("the two processes ask for every balance that is due at once, each by one email and one step, and a kill in between changes nothing", async () => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++)
    await servers.database.transaction(async (tx) => {
      const artist = await makeArtist(tx, { name: `Act ${index} ${Date.now()}` });
      const eventDate = new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10);
      ids.push((await makeBooking(tx, { artistId: artist.id, status: "contract_signed", eventDate })).id);
    });
  await expect.poll(async () => (await asked()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await servers.servers[0]?.kill();
  await servers.servers[0]?.start();
  await expect.poll(async () => (await asked()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  const emails = await asked();
  expect(emails.map(({ ref_id }) => ref_id ?? "").toSorted()).toEqual(ids.toSorted());
  const steps = await servers.database.db.selectFrom("balance_steps").select(["booking_id", "step"]).execute();
  expect(steps.map(({ booking_id, step }) => `${booking_id} ${step}`).toSorted()).toEqual(
    ids.map((id) => `${id} due`).toSorted(),
  );
}, 120_000);
