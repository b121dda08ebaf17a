import { sql } from "kysely";
import { syncDueCalendars } from "#calendar/import/sync.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { peopleOf, reservations } from "../bookings.ts";
import { type CalendarEntry, calendarOf, type CalendarServer, startCalendarServer } from "./calendar-server.ts";

type Item = {
  id: string;
  status: string;
  entry_count: number;
  failing_since: string | null;
  last_success_at: string | null;
  message: string | null;
};
let count = 0;

/** Makes an artist, and a calendar with these entries that the artist can import. */
export async function calendarScene(app: TestApp, server: CalendarServer, entries: readonly CalendarEntry[]) {
  const { artist, person } = peopleOf(() => app);
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, name: `Cold Harbor ${++count}` });
  const path = `/calendar-${count}`;
  server.serve(path, calendarOf(...entries));
  const add = (url = server.url(path)) => player.at.json("/api/artist/external-calendars", { name: "Google", url });
  const list = async () =>
    (await player.at.json("/api/artist/external-calendars")).body as unknown as { items: Item[]; conflicts: object[] };
  /** Reads due calendars after their interval, this one with another content if it is given. */
  const sync = async (content?: string) => {
    if (content !== undefined) server.serve(path, content);
    app.clock.advance(16 * minuteMs);
    await syncDueCalendars(app.services);
  };
  const readAgain = async (content?: string) => {
    await sync(content);
    return (await list()).items[0];
  };
  const entriesNow = async () => (await reservations(app, act.id)).filter(({ kind }) => kind === "external");
  const startsNow = async () => {
    const { rows } = await sql<{ start: Date }>`
      select lower(during) as start from date_reservations where artist_id = ${act.id} order by 1`.execute(
      app.database.db,
    );
    return rows.map(({ start }) => start.toISOString());
  };
  return { player, act, path, add, list, sync, readAgain, entriesNow, startsNow };
}

/** Starts a server of calendars and an app that may read it, both until the end of the file. */
export async function calendarsOfFile(env: Record<string, string> = {}) {
  const server = closeAfterFile(await startCalendarServer());
  const now = new Date("2027-06-01T12:00:00Z");
  const app = closeAfterFile(await testApp({ now, env: { ...env, CALENDAR_ALLOW_HOSTS: server.host } }));
  return {
    server,
    app,
    scene: (...entries: readonly CalendarEntry[]) => calendarScene(app, server, entries),
    fail: (path: string, status = 503) => server.serve(path, (_request, response) => response.writeHead(status).end()),
  };
}

export const evening = { from: "20270710T180000Z", to: "20270710T230000Z" };
