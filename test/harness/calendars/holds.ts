import { expect } from "vitest";
import { advanceOverdueNights } from "#calendar/holds/jobs.ts";
import type { HoldItem } from "#calendar/holds/holds.api.ts";
import { sweepHolds } from "#bookings/jobs.ts";
import type { TestApp } from "#test/test-app.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { browser, follow, peopleOf } from "../bookings.ts";

/** A hold as JSON, with times as text. */
export type Hold = Omit<HoldItem, "nights"> & { nights: HoldNight[] };
export type HoldNight = Omit<HoldItem["nights"][number], "expires_at" | "challenge_ends_at"> & {
  expires_at: string;
  challenge_ends_at: string | null;
};
export type Person = { user: { id: string; email: string }; at: ReturnType<typeof browser> };

export const eventOfHold = {
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

type Answer = { status: number; hold: Hold; message: string };

const answerOf = ({ status, body }: { status: number; body: Record<string, unknown> }): Answer => ({
  status,
  hold: body as unknown as Hold,
  message: String(body["message"] ?? ""),
});

export const holdsBy = ({ at }: Pick<Person, "at">) => ({
  place: async (slug: string, nights: string[], more: object = {}) =>
    answerOf(await at.json("/api/holds", { artistId: slug, nights, ...eventOfHold, ...more })),
  placed: async (slug: string, nights: string[], more: object = {}) => {
    const response = answerOf(await at.json("/api/holds", { artistId: slug, nights, ...eventOfHold, ...more }));
    expect(response.status, response.message).toBe(201);
    return response.hold;
  },
  release: async (id: string, nights?: string[]) =>
    answerOf(await at.json(`/api/holds/${id}/release`, nights ? { nights } : {})),
  challenge: async (id: string, night: string) => answerOf(await at.json(`/api/holds/${id}/challenge`, { night })),
  book: async (id: string, night: string) => at.json(`/api/holds/${id}/book`, { night }),
  convert: async (id: string, night: string, more: object = {}) =>
    at.json(`/api/artist/holds/${id}/book`, { night, ...more }),
  extend: async (id: string, until: Date) => answerOf(await at.json(`/api/artist/holds/${id}/extend`, { until })),
  mine: async () => (await at.json("/api/promoter/holds")).body["items"] as Hold[],
  queue: async (night: string) => (await at.json(`/api/artist/holds?night=${night}`)).body["items"] as Hold[],
});

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
