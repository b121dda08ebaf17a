/** The one pair of servers for all suites of this folder: started before the first and ended after the last test of the file that names them. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { keysFrom } from "#platform/security/keys.ts";
import { type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { type TwoServers, twoServers } from "../two-servers.ts";

const secret = randomBytes(32);

/** The keys of both servers. */
export const keys = keysFrom(secret);
/** Set before the first test. */
export let servers: TwoServers;
/** Where artists have calendars of their own; set before the first test. */
export let calendars: CalendarServer;

beforeAll(async () => {
  // With one address of their own, a token of one is a token of the other.
  calendars = await startCalendarServer();
  servers = await twoServers({
    SECRETS_KEY: secret.toString("base64"),
    PUBLIC_URL: "http://stagedoor.localhost",
    CALENDAR_ALLOW_HOSTS: calendars.host,
  });
}, 120_000);
afterAll(async () => {
  await servers.close();
  await calendars.close();
}, 60_000);
