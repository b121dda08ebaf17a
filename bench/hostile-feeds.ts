/** Measures a profile's page while 20 calendars come from hostile servers: slow, endless, huge, redirected or with 100,000 repetitions. */

import type { RequestListener } from "node:http";
import { makeArtist } from "#test/factories/artists.ts";
import { makeUser } from "#test/factories/users.ts";
import { calendarOf, type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { testPassword } from "#test/test-app.ts";
import { type BenchFixture, type RunningServer } from "./fixture.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const pages = 600;
const artists = 20;

const hostile: readonly (string | RequestListener)[] = [
  () => undefined,
  (_request, response) => void setTimeout(() => response.end(), 30_000),
  (_request, response) => {
    const part = Buffer.alloc(1_048_576, "X");
    let sent = 0;
    const send = () => {
      while (sent++ < 50 && !response.destroyed) if (!response.write(part)) return void response.once("drain", send);
      response.end();
    };
    send();
  },
  (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  calendarOf({
    from: "20260101T000000Z",
    to: "20260101T000500Z",
    more: "RRULE:FREQ=MINUTELY;INTERVAL=10;COUNT=100000",
  }),
];

export async function benchHostileFeeds(fixture: BenchFixture): Promise<Figure[]> {
  const server = await startCalendarServer();
  try {
    await using product = await fixture.startProduct("all", { CALENDAR_ALLOW_HOSTS: server.host });
    await addCalendars(await signInArtists(fixture, product), server, product);
    await pageTimes(product);
    const before = await pageTimes(product);
    for (let at = 0; at < artists; at++) server.serve(`/${at}`, hostile[at % hostile.length] ?? "");
    // All of them are due together, as they are every 15 minutes.
    await fixture.database.exec("update external_calendars set checked_at = null");
    const during: number[] = [];
    const untold = () =>
      fixture.database.db.selectFrom("external_calendars").where("message", "is", null).select("id").execute();
    while ((await untold()).length > 0) during.push(...(await pageTimes(product)));
    const memory = product.residentMB() ?? 0;
    const messages = await fixture.database.db.selectFrom("external_calendars").select("message").distinct().execute();
    for (const { message } of messages) console.log(`  ${message}`);
    const ratio = quantile(during, 0.99) / quantile(before, 0.99);
    return [
      atMost("page p99 with 20 hostile feeds", ratio, 2, "times", `${quantile(during, 0.99).toFixed(1)} ms`),
      atMost("memory with 20 hostile feeds", memory, 600, "MB"),
    ];
  } finally {
    await server.close();
  }
}

async function addCalendars(authorizations: readonly string[], server: CalendarServer, { origin }: RunningServer) {
  for (const [at, authorization] of authorizations.entries()) {
    server.serve(`/${at}`, calendarOf());
    const response = await fetch(`${origin}/api/artist/external-calendars`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: "Google", url: server.url(`/${at}`) }),
    });
    if (!response.ok) throw new Error(`the calendar was not added: ${await response.text()}`);
  }
}

async function signInArtists(fixture: BenchFixture, { origin }: RunningServer): Promise<string[]> {
  const emails = await fixture.database.transaction(async (tx) => {
    const made: string[] = [];
    for (let at = 0; at < artists; at++) {
      const owner = await makeUser(tx, { role: "artist", password: testPassword });
      await makeArtist(tx, { userId: owner.id, name: `Act ${owner.id.slice(0, 8)}` });
      made.push(owner.email);
    }
    return made;
  });
  const signIn = async (email: string) => {
    const response = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: testPassword }),
    });
    return `Bearer ${((await response.json()) as { access_token: string }).access_token}`;
  };
  return Promise.all(emails.map(signIn));
}

async function pageTimes({ origin }: RunningServer): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < pages; at++) {
    const began = performance.now();
    const response = await fetch(`${origin}/api/artists/many-${at + 1}`, { headers: { authorization: "none" } });
    await response.text();
    times.push(performance.now() - began);
  }
  return times;
}
