import { sql } from "kysely";
import { expect, test } from "vitest";
import { recountReviews } from "#artists/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";
import { publishReviews } from "./reviews.ts";
import { insertReview, lockReview } from "./store.ts";

const app = closeAfterFile(await testApp({ engine: "postgres" }));

type Reviewed = { id: string; artist_id: string };

type Change = (tx: Tx, booking: Reviewed, id: string) => Promise<unknown>;

test.each<readonly [string, Change]>([
  ["the publication", (tx, booking) => publishReviews(tx, booking, app.clock.now())],
  [
    "a decision of an admin",
    async (tx, booking, id) => {
      await lockReview(tx, id);
      await recountReviews(tx, booking.artist_id);
    },
  ],
])("%s locks the artist before the review, like the deletion of the artist's account", async (_name, change) => {
  const booking = await app.make.booking({ status: "completed" });
  const written = { booking_id: booking.id, artist_id: booking.artist_id, written_by: "artist", rating: 5 } as const;
  const row = { ...written, author_name: "Mara", body: "A quiet night.", created_at: app.clock.now() };
  const { id } = (await app.database.transaction((tx) => insertReview(tx, row))) ?? { id: "" };
  await overlapping(
    app,
    (tx) => sql`select 1 from artists where id = ${booking.artist_id} for update`.execute(tx),
    () => app.database.transaction((tx) => change(tx, booking, id)),
    async (tx) =>
      expect((await sql`select 1 from reviews where id = ${id} for update skip locked`.execute(tx)).rows).toHaveLength(
        1,
      ),
  );
});
