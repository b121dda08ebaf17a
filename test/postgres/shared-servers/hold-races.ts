/**
 * Ranked holds of one date, placed, challenged, booked and released concurrently through two processes on one PostgreSQL.
 * TEST_DEEP=1 runs the full numbers.
 */

import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeArtistSettings } from "#settings/index.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeUser } from "#test/factories/users.ts";
import { testPassword } from "#test/test-app.ts";
import { daysAhead } from "../two-servers.ts";
import { servers } from "./servers.ts";

const deep = process.env["TEST_DEEP"] === "1";
const promoters = deep ? 200 : 20;
const rounds = deep ? 50 : 3;

type Answer = { status: number; body: { id?: string; message?: string; booking_id?: string } };
type Client = (turn: number, address: string, body: object) => Promise<Answer>;

async function signedIn(email: string): Promise<Client> {
  const { body } = await servers.send<{ access_token: string }>(0, "/auth/v1/token?grant_type=password", {
    email,
    password: testPassword,
  });
  return async function post(turn, address, input) {
    const response = await fetch(`${servers.servers[turn % 2]?.url()}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${body.access_token}` },
      body: JSON.stringify(input),
    });
    // On a busy machine the wait for the others may exceed the statement's time limit.
    if (response.status === 503) return post(turn, address, input);
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
}

async function market(count = promoters, settings = {}) {
  const { artist, users } = await servers.database.transaction(async (tx) => {
    const owner = await makeUser(tx, { role: "artist", password: testPassword });
    const act = await makeArtist(tx, { userId: owner.id, name: `Act ${owner.id.slice(0, 8)}` });
    await changeArtistSettings(tx, act.id, { holdsEnabled: true, ...settings }, owner.id);
    const people = [];
    for (let at = 0; at < count; at++) people.push(await makeUser(tx, { role: "promoter", password: testPassword }));
    return { artist: act, users: people };
  });
  const clients: Client[] = [];
  for (const { email } of users) clients.push(await signedIn(email));
  return { artist, clients, users, promoterIds: users.map(({ id }) => id) };
}

/** Returns the promoters' hold ids in order. Read from the database, because a 503 may follow a stored hold. */
async function holdIds(artistId: string, promoterIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; promoter: string }>`
    select id, promoter_user_id as promoter from holds where artist_id = ${artistId}`.execute(servers.database.db);
  return promoterIds.map((promoter) => rows.find((row) => row.promoter === promoter)?.id ?? "none");
}

type State = { ranks: number[]; challenges: number; reservations: number; strays: number; overlaps: number };

async function stateOf(artistId: string, night: string): Promise<State> {
  const { rows } = await sql<State>`select
    (select coalesce(json_agg(rank order by rank), '[]') from hold_nights where artist_id = ${artistId} and night = ${night}::date and state = 'active') as ranks,
    (select count(*)::int from hold_challenges where artist_id = ${artistId} and night = ${night}::date and closed_at is null) as challenges,
    (select count(*)::int from date_reservations where artist_id = ${artistId}) as reservations,
    (select count(*)::int from date_reservations r join hold_nights n on n.id = r.hold_night_id
      where r.artist_id = ${artistId} and n.rank is distinct from 1) as strays,
    (select count(*)::int from date_reservations a join date_reservations b on a.artist_id = b.artist_id and a.id < b.id and a.during && b.during
      where a.artist_id = ${artistId}) as overlaps`.execute(servers.database.db);
  return rows[0] as State;
}

const fromOne = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const won = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 300);
const faults = (answers: readonly Answer[]) => answers.filter(({ status }) => status >= 300 && status !== 409);

export function holdRaces(): void {
  test(
    `ends each hold in one state with ${promoters} promoters placing, challenging, booking and releasing in ${rounds} rounds`,
    { timeout: deep ? 3_600_000 : 600_000 },
    async () => {
      const { artist, clients, promoterIds } = await market();
      const event = { eventTime: "20:00", eventLocation: "The Lantern Room, Austin", eventType: "Concert" };
      for (let round = 0; round < rounds; round++) {
        await sql`delete from holds where artist_id = ${artist.id}`.execute(servers.database.db);
        const night = daysAhead(40 + round);
        const placed = await Promise.all(
          clients.map((send, index) => send(index, "/api/holds", { artistId: artist.slug, nights: [night], ...event })),
        );
        expect(faults(placed)).toEqual([]);
        expect(await stateOf(artist.id, night)).toEqual({
          ranks: fromOne(promoters),
          challenges: 0,
          reservations: 1,
          strays: 0,
          overlaps: 0,
        });

        const ids = await holdIds(artist.id, promoterIds);
        const challenged = await Promise.all(
          clients.map((send, index) => send(index, `/api/holds/${ids[index]}/challenge`, { night })),
        );
        expect(faults(challenged)).toEqual([]);
        expect(won(challenged)).toHaveLength(1);
        expect(await stateOf(artist.id, night)).toMatchObject({
          ranks: fromOne(promoters),
          challenges: 1,
          overlaps: 0,
        });

        const booked = clients.map((send, index) => send(index, `/api/holds/${ids[index]}/book`, { night }));
        const released = clients.map((send, index) => send(index + 1, `/api/holds/${ids[index]}/release`, {}));
        const bookings = await Promise.all(booked);
        const releases = await Promise.all(released);
        expect(faults(releases)).toEqual([]);
        expect(bookings.filter(({ status }) => status >= 300 && ![404, 409].includes(status))).toEqual([]);
        expect(won(bookings).length).toBeLessThanOrEqual(1);
        const after = await stateOf(artist.id, night);
        expect(after.ranks).toEqual(fromOne(promoters - won(releases).length));
        expect(after).toMatchObject({ challenges: 0, strays: 0, overlaps: 0 });
        // After the release of every hold, one checkout may have the free date.
        expect(after.reservations).toBeLessThanOrEqual(1);
        if (after.ranks.length > 0) expect(after.reservations).toBe(1);
        await sql`delete from date_reservations where artist_id = ${artist.id}`.execute(servers.database.db);
      }
    },
  );

  test(
    "gives a night to a hold or to a verified request without a deposit",
    { timeout: deep ? 600_000 : 120_000 },
    async () => {
      const { artist, clients, users } = await market(2, { requireDeposit: false });
      const [sendHold, sendRequest] = clients as [Client, Client];
      const event = { eventTime: "20:00", eventLocation: "The Lantern Room, Austin", eventType: "Concert" };
      const contact = { clientName: "Rival", clientEmail: users[1]?.email, clientPhone: "+1 512 555 0142" };
      for (let round = 0; round < 10; round++) {
        const night = daysAhead(40 + round);
        const answers = await Promise.all([
          sendHold(0, "/api/holds", { artistId: artist.slug, nights: [night], ...event }),
          sendRequest(1, "/api/bookings", { artistId: artist.slug, eventDate: night, ...contact, ...event }),
        ]);
        expect(faults(answers)).toEqual([]);
        expect(won(answers)).toHaveLength(1);
      }
    },
  );
}
