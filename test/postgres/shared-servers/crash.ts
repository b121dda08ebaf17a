/** SIGKILL under load: no acknowledged request is lost, and no promoter is charged twice. TEST_DEEP=1 runs the full numbers. */

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { chargedTwice, daysAhead, endLeases, moneyOffences, addArtist, bookingInput } from "../two-servers.ts";
import { servers } from "./servers.ts";

const kills = process.env["TEST_DEEP"] === "1" ? 20 : 1;
/** A limit, not a measurement of speed. */
const drainMs = 300_000;

/** Books and pays as one promoter. Records acknowledged requests only. */
async function bookAndPay(number: number, acknowledged: Set<string>, paid: Set<string>): Promise<void> {
  const slug = `crash-${number % 40}`;
  const requested = await servers.send<{ id?: string }>(
    number,
    "/api/bookings",
    bookingInput(slug, number, daysAhead(40 + Math.floor(number / 40))),
  );
  if (requested.status >= 300 || !requested.body.id) return;
  acknowledged.add(requested.body.id);
  const open = () =>
    servers.send<{ checkout_url?: string }>(
      number,
      "/api/functions/create-contract-and-checkout",
      { booking_id: requested.body.id },
      requested.cookie,
    );
  const opened = await Promise.allSettled([open(), open()]);
  const url = opened.flatMap((one) =>
    one.status === "fulfilled" && one.value.body.checkout_url ? [one.value.body.checkout_url] : [],
  )[0];
  if (!url) return;
  const pay = await servers.send(number + 1, `${new URL(url).pathname}/pay`, {});
  if (pay.status === 303) paid.add(requested.body.id);
}

export function crash(): void {
  test(
    `loses no acknowledged request and charges nothing twice with ${kills} kills under load`,
    { timeout: 900_000 },
    async () => {
      for (let index = 0; index < 40; index++) await addArtist(servers, `crash-${index}`);
      const acknowledged = new Set<string>();
      const paid = new Set<string>();
      let number = 0;
      let running = true;
      const promoters = Array.from({ length: 6 }, async () => {
        while (running) await bookAndPay(number++, acknowledged, paid).catch(() => undefined);
      });
      for (let kill = 0; kill < kills; kill++) {
        const before = paid.size;
        while (paid.size < before + 2) await pause(50);
        const victim = servers.servers[kill % servers.servers.length];
        await victim?.kill();
        await victim?.start();
        await endLeases(servers);
      }
      running = false;
      await Promise.all(promoters);
      expect(acknowledged.size).toBeGreaterThan(kills);
      expect(paid.size).toBeGreaterThan(0);

      const { db } = servers.database;
      const stored = new Set((await db.selectFrom("bookings").select("id").execute()).map((row) => row.id));
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);

      const unsettled = async () => {
        const rows = await db
          .selectFrom("bookings")
          .select(["id", "status"])
          .where("id", "in", [...paid])
          .execute();
        return rows.filter((row) => row.status === "initiated").map((row) => row.id);
      };
      const end = Date.now() + drainMs;
      while ((await unsettled()).length && Date.now() < end) await pause(100);
      expect(await unsettled(), "every paid booking was confirmed or its money given back").toEqual([]);

      expect(await chargedTwice(db), "charged twice").toEqual([]);
      expect(await moneyOffences(servers)).toEqual([]);
      await expectPlantedChargeFound();
    },
  );
}

/** Proves the check for double charges with a copied charge. */
async function expectPlantedChargeFound(): Promise<void> {
  const plant = servers.database.transaction(async (tx) => {
    await sql`
      insert into sandbox_objects (id, kind, body)
      select 'ch_planted', kind, body from sandbox_objects
      where kind = 'charge' and (body->>'paid')::boolean and body->>'amount_refunded' = '0' limit 1`.execute(tx);
    const found = await chargedTwice(tx);
    throw Object.assign(new Error("only planted"), { found });
  });
  await expect(plant).rejects.toMatchObject({ found: [{ charges: 2 }] });
}
