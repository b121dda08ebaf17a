/** Artists with shows and connections to a CalDAV server. */

import ICAL from "ical.js";
import { expect } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import type { TestApp } from "#test/test-app.ts";
import { type Radicale, radicalePassword } from "./radicale.ts";

type Item = Record<string, unknown> & { id: string; status: string };

export const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      status: component.getFirstPropertyValue("status"),
      summary: event.summary,
      location: event.location,
      start: event.startDate.toString(),
      end: event.endDate.toString(),
    };
  });

/** The helpers of one test file. `at`: its server and its CalDAV server, once they run. */
export function connectionHarness(at: () => { app: TestApp; radicale: Radicale }) {
  const { artist, person, held } = peopleOf(() => at().app);
  /** Makes an artist with two shows, a request and a canceled show, and the connections of the artist's account. */
  async function scene() {
    const player = await person("artist");
    const act = await artist({ userId: player.user.id, name: "Cold Harbor" });
    const make = async (status: "initiated" | "deposit_paid" | "canceled", eventDate: string) =>
      (await held({ artist: act, status, eventDate, now: at().app.clock.now() })).booking;
    const shows = {
      paid: await make("deposit_paid", "2027-07-10"),
      requested: await make("initiated", "2027-07-11"),
      canceled: await make("canceled", "2027-07-12"),
    };
    return { player, act, make, ...shows, ...connectionsOf(player) };
  }

  /** Signs in for each call, because sessions end when the clock is moved. */
  function connectionsOf({ user }: Awaited<ReturnType<typeof person>>) {
    const call = async (method: string, path = "", body?: unknown) => {
      const headers = await at().app.signIn(user);
      const response = await at().app.request(`/api/me/calendar-connections${path}`, {
        method,
        headers,
        ...(body ? { body } : {}),
      });
      return { status: response.status, body: (await response.json()) as Item & { items: Item[] } };
    };
    const list = async () => (await call("GET")).body.items;
    return {
      add: (username: string, more: { server_url?: string; password?: string } = {}) =>
        call("POST", "", { server_url: at().radicale.url, username, password: radicalePassword, ...more }),
      list,
      first: async () => (await list())[0],
      retry: (id: string, more: Record<string, string> = {}) => call("POST", `/${id}/retry`, more),
      remove: (id: string) => call("DELETE", `/${id}`, {}),
    };
  }

  const calendarOf = async (name: string) => {
    const made = (await at().radicale.list(name)).filter((address) => address.includes("/stagedoor-"));
    expect(made).toHaveLength(1);
    return String(made[0]);
  };

  const onServer = async (name: string) => {
    const texts = await at().radicale.read(name, await calendarOf(name));
    return new Map(texts.flatMap(eventsIn).map((event) => [event.uid, event]));
  };

  return {
    person,
    held,
    scene,
    connectionsOf,
    calendarOf,
    onServer,
    minutes: (count: number) => at().app.clock.advance(count * minuteMs),
    /** Matches the test's clock to within some minutes, because it moves on. */
    aboutNow: () =>
      expect.toSatisfy(
        (text: string) => Math.abs(Date.parse(text) - at().app.clock.now().getTime()) < 10 * minuteMs,
      ) as string,
  };
}
