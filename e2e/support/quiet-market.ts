/** A market for tests that move the clock by weeks: only the three demo users and their artist, so nothing else becomes due. */

import { openDatabase } from "../../src/platform/db/index.ts";
import { makeArtist } from "../../test/factories/artists.ts";
import { makeUser } from "../../test/factories/users.ts";
import { demoPassword } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";

/**
 * Starts a server where admin@, artist@ and promoter@demo.test can sign in and Electric Dreams can be booked for $1,500.
 * Without a PostgreSQL for the tests it is the whole demo market, because the embedded database can be opened only by its
 * server.
 */
export async function startQuietMarket(): Promise<TestServer> {
  if (!process.env["DATABASE_URL_TEST"]) return startServer();
  const server = await startServer("empty");
  const database = await openDatabase({ url: server.env["DATABASE_URL"] ?? "", poolSize: 1 });
  try {
    await database.transaction(async (tx) => {
      const person = (role: "admin" | "artist" | "promoter", name: string) =>
        makeUser(tx, { email: `${role}@demo.test`, password: demoPassword, role, name });
      await person("admin", "Alex Marlowe");
      await person("promoter", "Jordan Ellis");
      const { id: userId } = await person("artist", "Electric Dreams");
      const artist = await makeArtist(tx, { name: "Electric Dreams", userId });
      await tx
        .insertInto("artist_connect")
        .values({
          artist_id: artist.id,
          user_id: userId,
          provider_account: "acct_demo_electric_dreams",
          onboarding_status: "completed",
          updated_at: new Date(),
        })
        .execute();
    });
  } finally {
    await database.close();
  }
  return server;
}
