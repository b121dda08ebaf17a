import { expect } from "vitest";
import { sweepHolds } from "#bookings/jobs.ts";
import type { HoldItem } from "#calendar/holds/holds.api.ts";
import { advanceOverdueNights } from "#calendar/holds/jobs.ts";
import { storeEntries } from "#calendar/import/sync.ts";
import { artistOfCalendar } from "#calendar/import/views.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { TestApp } from "#test/test-app.ts";
import { browser, dayAhead, follow, messagesTo, peopleOf } from "../bookings.ts";

export { advanceOverdueNights };

/** A hold as JSON, with times as text. */
export type Hold = Omit<HoldItem, "nights"> & { nights: HoldNight[] };
type HoldNight = Omit<HoldItem["nights"][number], "expires_at" | "challenge_ends_at"> & {
  expires_at: string;
  challenge_ends_at: string | null;
};
export type Person = { user: { id: string; email: string }; at: ReturnType<typeof browser> };

const eventOfHold = {
  eventTime: "20:00",
  eventLocation: "The Waterworks, Austin, Texas",
  eventType: "Concert",
};

/** Makes an artist in Austin who accepts holds, with the owner's browser. */
export async function artistWithHolds(app: TestApp, settings: Record<string, unknown> = {}) {
  const { person, artist } = peopleOf(() => app);
  const owner = await person("artist");
  const act = await artist({ userId: owner.user.id });
  const value = JSON.stringify({ holdsEnabled: true, ...settings });
  await app.database.db
    .insertInto("settings")
    .values({ scope: "artist", owner_id: act.id, value })
    .onConflict((on) => on.columns(["scope", "owner_id"]).doUpdateSet({ value }))
    .execute();
  return { act, owner };
}

export const promotersOf = (app: TestApp, count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => peopleOf(() => app).person("promoter")));

export const promoterOf = (app: TestApp): Promise<Person> => peopleOf(() => app).person("promoter");

type Answer = { status: number; body: Record<string, unknown>; hold: Hold; message: string };

const answerOf = ({ status, body }: { status: number; body: Record<string, unknown> }): Answer => ({
  status,
  body,
  hold: body as unknown as Hold,
  message: String(body["message"] ?? ""),
});

export const holdsBy = ({ at }: Pick<Person, "at">) => ({
  place: async (slug: string, nights: string[], event: Partial<typeof eventOfHold> = {}) =>
    answerOf(await at.json("/api/holds", { artistId: slug, nights, ...eventOfHold, ...event })),
  placed: async (slug: string, nights: string[]) => {
    const response = answerOf(await at.json("/api/holds", { artistId: slug, nights, ...eventOfHold }));
    expect(response.status, response.message).toBe(201);
    return response.hold;
  },
  release: async (id: string, nights?: string[]) =>
    answerOf(await at.json(`/api/holds/${id}/release`, nights ? { nights } : {})),
  challenge: async (id: string, night: string) => answerOf(await at.json(`/api/holds/${id}/challenge`, { night })),
  book: async (id: string, night: string) => at.json(`/api/holds/${id}/book`, { night }),
  convert: async (id: string, night: string, more: object = {}) =>
    at.json(`/api/artist/holds/${id}/book`, { night, ...more }),
  /** Enters a hold of one night manually, as its artist. */
  enter: async (night: string, hold: { until: Date; nights?: string[]; name?: string; email?: string }) =>
    answerOf(
      await at.json("/api/artist/holds", { nights: [night], ...eventOfHold, name: "Agency", email: "", ...hold }),
    ),
  extend: async (id: string, until: Date) => answerOf(await at.json(`/api/artist/holds/${id}/extend`, { until })),
  mine: async () => (await at.json("/api/promoter/holds")).body["items"] as Hold[],
  queue: async (night: string) => (await at.json(`/api/artist/holds?night=${night}`)).body["items"] as Hold[],
});

/** Returns the subjects of the emails about holds to a user, in their order. */
export const holdSubjects = async (app: TestApp, { user }: Person): Promise<string[]> =>
  (await messagesTo(app, user.email)).flatMap(({ template, subject }) =>
    template === "hold_changed" ? [subject] : [],
  );

/** Advances the clock by hours, ends expired holds, sends the messages, and signs the user in again. */
export async function later(app: TestApp, hours: number, person: Person): Promise<Person> {
  app.clock.advance(hours * hourMs);
  await sweepHolds(app.services);
  await follow(app);
  await advanceOverdueNights(app.services);
  await follow(app);
  person.at = browser(app, await app.signIn(person.user));
  return person;
}

/** Makes another calendar of an artist. The returned function replaces its entries by at most one, as a read of it does. */
export async function otherCalendar(app: TestApp, artistId: string) {
  const calendar = await app.database.db
    .insertInto("external_calendars")
    .values({ artist_id: artistId, name: "Band", url_sealed: "encrypted", url_host: "calendar.example.org" })
    .returningAll()
    .executeTakeFirstOrThrow();
  return async (entry?: { from: string; to: string }) => {
    const intervals = entry ? [{ uid: "one", from: new Date(entry.from), to: new Date(entry.to) }] : [];
    const { time_zone: zone } = await artistOfCalendar(app.database.db, calendar);
    const read = { etag: null, zone, intervals, unread: [], isCut: false, now: app.clock.now() };
    await app.database.transaction((tx) => storeEntries(tx, calendar, read));
    await follow(app);
  };
}

/** Makes an artist and a night with holds of `count` promoters, the first hold first. */
export async function queueOf(app: TestApp, count: number, settings: Record<string, unknown> = {}) {
  const { act, owner, promoters, night, ids } = await heldNight(app, count, settings);
  const person = (at: number): Person => promoters[at] ?? owner;
  const id = (at: number): string => ids[at] ?? "";
  const by = (at: number) => holdsBy(person(at));
  return {
    act,
    owner,
    night,
    person,
    id,
    by,
    ranks: async () => {
      const queue = await holdsBy(owner).queue(night);
      return queue.map((hold) => [ids.indexOf(hold.id), nightOf(hold, night)?.rank]);
    },
    own: async (at: number) =>
      nightOf(
        (await by(at).mine()).find((one) => one.id === id(at)),
        night,
      ),
    challenge: (at: number) => by(at).challenge(id(at), night),
    book: (at: number) => by(at).book(id(at), night),
    /** Advances the clock, and signs these promoters in again. */
    wait: async (hours: number, ...who: number[]) => {
      await later(app, hours, owner);
      for (const at of who) await later(app, 0, person(at));
    },
  };
}

export const nightOf = (hold: Hold | undefined, night: string) => hold?.nights.find((one) => one.night === night);

/** Returns the emails about holds and requests to an address, by their subject. */
export const holdMailsOf = async (app: TestApp, email: string, about: RegExp) =>
  (
    await app.database.db
      .selectFrom("messages")
      .select(["subject", "text"])
      .where("recipient", "=", email)
      .where("template", "in", ["hold_changed", "new_request", "request_received"])
      .execute()
  ).filter(({ subject }) => about.test(subject ?? ""));

export const only = <T>(all: readonly T[]): T => {
  expect(all).toHaveLength(1);
  return all[0] as T;
};

/** Returns an artist with one night, held by `count` promoters in this order. */
export async function heldNight(app: TestApp, count: number, settings: Record<string, unknown> = {}) {
  const { act, owner } = await artistWithHolds(app, settings);
  const promoters = await promotersOf(app, count);
  const night = dayAhead(app, 40);
  const ids: string[] = [];
  for (const promoter of promoters) ids.push((await holdsBy(promoter).placed(act.slug, [night])).id);
  return { act, owner, promoters, night, ids, artist: () => holdsBy(owner) };
}

/** Opens the payment link of an email, and returns the checkout's address. */
export async function checkoutOf(app: TestApp, text: string | undefined): Promise<string> {
  const [, path = "", key = ""] = /(\/pay\/\S+)\?key=(\S+)/.exec(text ?? "") ?? [];
  const response = await browser(app).call(path, new URLSearchParams({ key }).toString(), {
    "content-type": "application/x-www-form-urlencoded",
  });
  return response.headers.get("location") ?? "";
}
