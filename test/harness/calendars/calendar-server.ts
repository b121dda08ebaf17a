import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type CalendarServer = {
  /** "127.0.0.1:40123", for CALENDAR_ALLOW_HOSTS. */
  host: string;
  url: (path: string) => string;
  /** Sets the response of a path. A text is a calendar with an ETag. */
  serve(path: string, response: string | RequestListener): void;
  /** The If-None-Match headers of the requests. Empty for a request without one. */
  requestedTags: string[];
  close(): Promise<void>;
};

export async function startCalendarServer(): Promise<CalendarServer> {
  const answers = new Map<string, RequestListener>();
  const requestedTags: string[] = [];
  const server = createServer((request, response) => {
    requestedTags.push(request.headers["if-none-match"] ?? "");
    const handler = answers.get(request.url ?? "");
    if (handler) return handler(request, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    requestedTags,
    url: (path) => `http://${host}${path}`,
    serve: (path, response) => void answers.set(path, typeof response === "string" ? withTag(response) : response),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const withTag =
  (text: string): RequestListener =>
  (request, response) => {
    const etag = `"${Buffer.from(text).toString("base64url").slice(-40)}${text.length}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    response.writeHead(200, { "content-type": "text/calendar", etag }).end(text);
  };

export type CalendarEntry = Readonly<{ uid?: string; from: string; to: string; more?: string }>;

/** Returns a calendar with one entry per pair of times in UTC ("20270710T203000Z"). */
export const calendarOf = (...entries: readonly CalendarEntry[]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
    ...entries.flatMap(({ uid, from, to, more }, at) => [
      "BEGIN:VEVENT",
      `UID:${uid ?? `entry-${at}`}`,
      `DTSTART:${from}`,
      `DTEND:${to}`,
      "SUMMARY:Dentist",
      ...(more ? [more] : []),
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
    "",
  ].join("\r\n");
