/** The pair of servers for all suites of this folder: started before the first and ended after the last test of the importing file. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { keysFrom } from "#platform/security/keys.ts";
import { type CalendarServer, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { type TwoServers, twoServers } from "../two-servers.ts";

const secret = randomBytes(32);

export const keys = keysFrom(secret);
export let servers: TwoServers;
/** The artists' external calendars. Set before the first test. */
export let calendars: CalendarServer;

beforeAll(async () => {
  // With a shared URL, a token of one is valid for the other.
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
