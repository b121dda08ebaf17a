import { afterAll, beforeAll, expect, test } from "vitest";
import { type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { openDav } from "./dav.ts";
import { makePublicFetch } from "./public-fetch.ts";

let first: CalendarServer;
let other: CalendarServer;
beforeAll(async () => {
  [first, other] = await Promise.all([startCalendarServer(), startCalendarServer()]);
});
afterAll(async () => {
  await Promise.all([first.close(), other.close()]);
});

test("sends the password after a redirect to the same server only", async () => {
  const seen: (string | undefined)[] = [];
  for (const server of [first, other])
    server.serve("/end", (request, response) => {
      seen.push(request.headers.authorization);
      response.end("here");
    });
  const { fetch } = makePublicFetch({ allowHosts: [first.host, other.host] });
  for (const target of [first, other, first]) {
    first.serve("/begin", (_request, response) => response.writeHead(307, { location: target.url("/end") }).end());
    const fetched = await fetch(first.url("/begin"), { headers: { authorization: "Basic secret" } });
    expect(await fetched.text()).toBe("here");
  }
  expect(seen).toEqual(["Basic secret", undefined, "Basic secret"]);
});

test("names the error of a server that fails instead of calling its address wrong", async () => {
  for (const [path, status, reason] of [
    ["/broken/", 500, "The server answers with an error (500) when we look for your account."],
    ["/nothing/", 404, /^There is no CalDAV server/],
  ] as const) {
    first.serve(path, (_request, response) => response.writeHead(status).end());
    const dav = openDav(
      { serverUrl: first.url(path), username: "ada", password: "secret" },
      { allowHosts: [first.host] },
    );
    await expect(dav.findCalendarUrl("1")).rejects.toThrow(reason);
  }
});
