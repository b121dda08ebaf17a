/** The server starts on a database of an earlier version, and continues its work. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/db/index.ts";
import { oldBookings, oldMarket, oldMarketKey } from "#test/harness/old-market.ts";
import { admin, endAll, freshFolder, type Server, startServer } from "./server.ts";

const DATA_DIR = freshFolder();
let server: Server;

beforeAll(async () => {
  const database = await openDatabase({ dataDir: DATA_DIR });
  await database.exec(oldMarket());
  await database.close();
  writeFileSync(path.join(DATA_DIR, "secrets.key"), oldMarketKey, { mode: 0o600 });
  server = await startServer({ DATA_DIR, SEED: "demo" });
});
afterAll(endAll);

const read = async (address: string, headers: Record<string, string> = {}) =>
  (await (await fetch(`${server.address}${address}`, { headers })).json()) as Record<string, unknown>;

async function signIn(email: string): Promise<Record<string, string>> {
  const response = await fetch(`${server.address}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "demo-password" }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}

test("serves the same market, and does not seed it again", async () => {
  expect(await read("/api/artists/electric-dreams")).toMatchObject({ slug: "electric-dreams", base_rate: 150_000 });
  expect(await read("/api/artists/count")).toMatchObject({ total: 124 });
});

test("signs the demo users in, and displays the booking paid on the last day to the artist", async () => {
  for (const who of ["admin", "promoter"]) expect(await signIn(`${who}@demo.test`)).toHaveProperty("authorization");
  const { items } = await read("/api/artist/bookings?search=Waterworks", await signIn("artist@demo.test"));
  const [paid] = (items as { id: string; fee_cents: number }[]).filter(({ id }) => id === oldBookings.paid);
  // Later changes depend on the day of the test.
  expect(paid).toMatchObject({ fee_cents: 150_000 });
});

test("finds nothing wrong with the operator's check", async () => {
  const { code, output } = await admin(["verify"], { DATA_DIR });
  expect(output).not.toContain("FAILED");
  expect(code).toBe(0);
});
