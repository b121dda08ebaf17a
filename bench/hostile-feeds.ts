/** A profile's page while 20 artists' calendars come from hostile servers: slow, endless, huge, redirected inward, or with 100,000 repetitions. */
import { makeUser } from "#test/factories/users.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { testPassword } from "#test/test-app.ts";
import { type BenchFixture, type RunningServer } from "./fixture.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const pages = 600;
const artists = 20;

/** One address for each way to harm whoever reads it. */
function serveHostile(server: CalendarServer): string[] {
  server.serve("/never", () => undefined);
  server.serve("/slow", (_request, response) => void setTimeout(() => response.end(), 30_000));
  server.serve("/huge", (_request, response) => {
    const part = Buffer.alloc(1_048_576, "X");
    let sent = 0;
    const send = () => {
      while (sent++ < 50 && !response.destroyed) if (!response.write(part)) return void response.once("drain", send);
      response.end();
    };
    send();
  });
  server.serve("/inward", (_request, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  );
  server.serve(
    "/repeating",
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VEVENT", "UID:1", "DTSTART:20260101T000000Z"]
      .concat(
        "DTEND:20260101T000500Z",
        "RRULE:FREQ=MINUTELY;INTERVAL=10;COUNT=100000",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      )
      .join("\r\n"),
  );
  return ["/never", "/slow", "/huge", "/inward", "/repeating"].map((path) => server.url(path));
}

export async function benchHostileFeeds(fixture: BenchFixture): Promise<Figure[]> {
  const server = await startCalendarServer();
  try {
    await using product = await fixture.startProduct("all", { CALENDAR_ALLOW_HOSTS: server.host });
    const owners = await signInArtists(fixture, product);
    const urls = serveHostile(server);
    await pageTimes(product);
    const before = await pageTimes(product);
    const messages = new Set<string>();
    let isOver = false;
    const add = async (authorization: string, index: number) => {
      while (!isOver) {
        const answer = await fetch(`${product.origin}/api/artist/external-calendars`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ name: "Hostile", url: urls[index % urls.length] }),
        });
        const { message } = (await answer.json()) as { message?: string };
        messages.add(message ?? `${answer.status}`);
      }
    };
    const feeds = owners.map((owner, index) => add(owner, index));
    const during: number[] = [];
    // Longer than the 10 seconds that a feed may take.
    for (const until = performance.now() + 15_000; performance.now() < until;)
      during.push(...(await pageTimes(product)));
    const memory = product.residentMB() ?? 0;
    isOver = true;
    await Promise.all(feeds);
    for (const message of messages) console.log(`  ${message}`);
    const ratio = quantile(during, 0.99) / quantile(before, 0.99);
    return [
      atMost("page p99 with 20 hostile feeds", ratio, 2, "times", `${quantile(during, 0.99).toFixed(1)} ms`),
      atMost("memory with 20 hostile feeds", memory, 600, "MB"),
    ];
  } finally {
    await server.close();
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
    const answer = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: testPassword }),
    });
    return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
  };
  return Promise.all(emails.map(signIn));
}

/** How long the pages of profiles take, one after the other, each made anew. */
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
