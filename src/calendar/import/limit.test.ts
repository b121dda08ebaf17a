import { afterAll, beforeAll, expect, test } from "vitest";
import { peopleOf } from "#test/harness/bookings.ts";
import { calendarOf, type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
let server: CalendarServer;
beforeAll(async () => {
  server = await startCalendarServer();
  app = await testApp({ env: { CALENDAR_ALLOW_HOSTS: server.host } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

test("allows ten external calendars at most, even if fourteen are added in parallel", async () => {
  const { artist, person } = peopleOf(() => app);
  const player = await person("artist");
  await artist({ userId: player.user.id });
  const path = "/api/artist/external-calendars";
  const add = (_: unknown, index: number) => {
    server.serve(`/calendar-${index}`, calendarOf());
    return player.at.json(path, { name: `Calendar ${index}`, url: server.url(`/calendar-${index}`) });
  };
  const replies = await Promise.all(Array.from({ length: 14 }, add));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(refused[0]?.body["message"]).toBe("You can add 10 calendars. Remove one first.");
  expect((await player.at.json(path)).body["items"]).toHaveLength(10);
});
