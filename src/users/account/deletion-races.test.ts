import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";
import { insertProfileClaim, lockClaim } from "../profile-claims/profile-claims.store.ts";
import { lockUser } from "../store.ts";

const app = closeAfterFile(await testApp({ engine: "postgres" }));

const { artist, person } = peopleOf(() => app);
type Call = () => Promise<{ status: number }>;

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database.db);
  return rows[0]?.count ?? 0;
}

/** Sends the calls after the deletion has looked for obstacles and before it commits. Returns their statuses. */
async function whileDeleting(deletes: ReturnType<typeof browser>, calls: readonly Call[]): Promise<number[]> {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blocker = app.database.transaction(async (tx) => {
    await sql`lock table profile_claims in share mode`.execute(tx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const deletion = deletes.json("/api/me/delete", {});
  await expect.poll(waitingForLocks).toBe(1);
  let answered = 0;
  const answers = calls.map(async (call) => {
    const { status } = await call();
    answered += 1;
    return status;
  });
  await expect.poll(async () => answered + (await waitingForLocks())).toBe(1 + calls.length);
  release.resolve();
  await blocker;
  expect((await deletion).status).toBe(200);
  return Promise.all(answers);
}

test("stores nothing for an account whose deletion has begun", async () => {
  const act = await artist();
  await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { holdsEnabled: true }, act.id));
  const user = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(user);
  const at = browser(app, headers);
  const [asGuest, address] = [browser(app), user.email.toUpperCase()];
  const statuses = await whileDeleting(at, [
    () => at.requestBooking({ artistId: act.slug, clientEmail: user.email }),
    () =>
      at.json("/api/holds", {
        artistId: act.slug,
        nights: [dayAhead(app, 80)],
        eventTime: "20:00",
        eventLocation: "Austin, Texas",
        eventType: "Club night",
        note: "",
      }),
    () =>
      at.json("/api/me/calendar-connections", {
        server_url: "https://dav.example.com/",
        username: "robin",
        password: "app password",
      }),
    () =>
      app.request("/api/promoter/settings", {
        method: "PATCH",
        headers,
        body: { values: { contactName: "Robin" }, version: 0 },
      }),
    () => asGuest.requestBooking({ artistId: act.slug, clientEmail: address, eventDate: dayAhead(app, 90) }),
  ]);
  expect(statuses).toEqual([401, 401, 401, 401, 201]);
  const { db } = app.database;
  const bookings = await db.selectFrom("bookings").select(["promoter_user_id", "promoter_email"]).execute();
  expect(bookings).toEqual([{ promoter_user_id: null, promoter_email: address }]);
  expect(await db.selectFrom("hold_nights").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("calendar_connections").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("settings").select("scope").where("owner_id", "=", user.id).execute()).toEqual([]);
});

test("retires the artist of a deleted account before anybody can request it", async () => {
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id });
  const guest = browser(app);
  expect(await whileDeleting(at, [() => guest.requestBooking({ artistId: act.slug })])).toEqual([404]);
  const { db } = app.database;
  const stored = db.selectFrom("artists").select(["user_id", "is_active"]).where("id", "=", act.id);
  expect(await stored.executeTakeFirst()).toEqual({ user_id: null, is_active: false });
  expect(await db.selectFrom("bookings").select("id").where("artist_id", "=", act.id).execute()).toEqual([]);
});

test("refuses the deletion for a request that was stored before it", async () => {
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id });
  expect((await browser(app).requestBooking({ artistId: act.slug })).status).toBe(201);
  expect((await at.json("/api/me/delete", {})).status).toBe(409);
});

test("locks a claim and the claimant's profile only after the claimant, as a deletion does", async () => {
  const act = await artist();
  const { user } = await person("artist");
  const given = { artistId: act.id, userId: user.id, evidence: "Our website", now: new Date() };
  const id = await app.database.transaction((tx) => insertProfileClaim(tx, given));
  const free = sql`select 1 from profile_claims c join profiles using (user_id) where c.id = ${id} for update skip locked`;
  const decision = await overlapping(
    app,
    (tx) => lockUser(tx, user.id),
    () => app.database.transaction((tx) => lockClaim(tx, String(id))),
    async (tx) => expect((await free.execute(tx)).rows).toHaveLength(1),
  );
  expect(decision?.user_id).toBe(user.id);
});

test("locks an account before its profile and its artist, as other changes of the account do", async () => {
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id });
  const free = sql`select 1 from profiles p join artists a using (user_id) where a.id = ${act.id} for update skip locked`;
  const deletion = await overlapping(
    app,
    (tx) => lockUser(tx, user.id),
    () => at.json("/api/me/delete", {}),
    async (tx) => expect((await free.execute(tx)).rows).toHaveLength(1),
  );
  expect(deletion.status).toBe(200);
});

test("locks the profile of a user only after the account when an admin suspends the user", async () => {
  const [{ at: admin }, { user }] = [await person("admin"), await person("promoter")];
  const free = sql`select 1 from profiles where user_id = ${user.id} for update skip locked`;
  const suspension = await overlapping(
    app,
    (tx) => lockUser(tx, user.id),
    () => admin.json(`/api/admin/users/${user.id}/suspend`, { reason: "A fake profile" }),
    async (tx) => expect((await free.execute(tx)).rows).toHaveLength(1),
  );
  expect(suspension.status).toBe(200);
});

test("locks the settings of an artist after the artist, as a deletion and the saved profile do", async () => {
  const act = await artist();
  const change = (travelRadius: number) =>
    app.database.transaction((tx) => changeArtistSettings(tx, act.id, { travelRadius }, act.id));
  await change(70);
  const free = sql`select 1 from settings where owner_id = ${act.id} for update skip locked`;
  await overlapping(
    app,
    (tx) => sql`select 1 from artists where id = ${act.id} for update`.execute(tx),
    () => change(80),
    async (tx) => expect((await free.execute(tx)).rows).toHaveLength(1),
  );
});
