import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendarOf, type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { fetchCalendar } from "./fetch-calendar.ts";

let server: CalendarServer;
beforeAll(async () => {
  server = await startCalendarServer();
});
afterAll(() => server.close());

const good = calendarOf({ from: "20270710T180000Z", to: "20270710T200000Z" });
const get = (path: string, more: Partial<Parameters<typeof fetchCalendar>[1]> = {}) =>
  fetchCalendar(server.url(path), { etag: null, allowHosts: [server.host], ...more });
const redirect = (to: string) =>
  server.serve("/redirect", (_request, response) => response.writeHead(302, { location: to }).end());

describe("fetchCalendar", () => {
  test("returns the text and its tag, and whether it has changed since", async () => {
    server.serve("/good", good);
    const first = await get("/good");
    expect(first).toMatchObject({ unchanged: false, text: good });
    expect(await get("/good", { etag: first.unchanged ? null : first.etag })).toEqual({ unchanged: true });
    redirect("/good");
    expect(await get("/redirect")).toMatchObject({ text: good });
    server.serve("/packed", (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(good)),
    );
    expect(await get("/packed")).toMatchObject({ text: good });
  });

  test.each([
    ["http://127.0.0.1:9/x", "private network"],
    ["http://169.254.169.254/latest/meta-data/", "private network"],
    ["http://[::1]:80/", "private network"],
    ["http://[::ffff:10.0.0.1]/", "private network"],
    ["http://[::127.0.0.1]/", "private network"],
    ["http://2130706433/", "private network"],
    ["http://100.64.0.1/", "private network"],
    ["file:///etc/passwd", "an invalid web address"],
  ])("does not follow a redirect to %s", async (to, reason) => {
    redirect(to);
    await expect(get("/redirect")).rejects.toThrow(reason);
  });

  test("refuses a name that leads to a private address, at the connection itself", async () => {
    let answers = 0;
    const resolve: NonNullable<Parameters<typeof fetchCalendar>[1]["resolve"]> = (_host, _options, done) => {
      answers++;
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    await expect(fetchCalendar("https://calendar.example/", { etag: null, allowHosts: [], resolve })).rejects.toThrow(
      "private network",
    );
    expect(answers).toBe(1);
  });

  test("names the reason of a failure", async () => {
    const status = (code: number) => server.serve("/status", (_request, response) => response.writeHead(code).end());
    for (const [code, reason] of [
      [401, "needs a password"],
      [404, "nothing at this address"],
      [503, "(503)"],
    ] as const) {
      status(code);
      await expect(get("/status")).rejects.toThrow(reason);
    }
    redirect("/redirect");
    await expect(get("/redirect")).rejects.toThrow("redirects too often");
    await expect(fetchCalendar("gopher://x", { etag: null, allowHosts: [] })).rejects.toThrow("not the address");
    await expect(fetchCalendar("http://127.0.0.1:9/", { etag: null, allowHosts: ["127.0.0.1:9"] })).rejects.toThrow(
      "cannot be reached",
    );
  });

  test("stops at a server that never answers, or never ends", async () => {
    server.serve("/never", () => undefined);
    await expect(get("/never", { ms: 100 })).rejects.toThrow("within 0.1 seconds");
    server.serve("/slow", (_request, response) => void response.writeHead(200).write("BEGIN:VCALENDAR\r\n"));
    await expect(get("/slow", { ms: 100 })).rejects.toThrow("within 0.1 seconds");
  });

  test("reads 5 MB at most, compressed or not", async () => {
    let sent = 0;
    const part = Buffer.alloc(65_536, "X");
    server.serve("/large", (_request, response) => {
      response.writeHead(200);
      const send = () => {
        while (sent < 50 * 1024 * 1024 && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", send);
        }
        response.end();
      };
      send();
    });
    await expect(get("/large")).rejects.toThrow("larger than 5 MB");
    expect(sent).toBeLessThan(20 * 1024 * 1024);
    server.serve("/bomb", (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
    );
    await expect(get("/bomb")).rejects.toThrow("larger than 5 MB");
  });
});
