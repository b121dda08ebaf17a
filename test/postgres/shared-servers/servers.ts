/** The one pair of servers for all suites of this folder: started before the first and ended after the last test of the file that names them. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { keysFrom } from "#platform/security/keys.ts";
import { type TwoServers, twoServers } from "../two-servers.ts";

const secret = randomBytes(32);

/** The keys of both servers. */
export const keys = keysFrom(secret);
/** Set before the first test. */
export let servers: TwoServers;

beforeAll(async () => {
  // With one address of their own, a token of one is a token of the other.
  servers = await twoServers({ SECRETS_KEY: secret.toString("base64"), PUBLIC_URL: "http://stagedoor.localhost" });
}, 120_000);
afterAll(() => servers.close(), 60_000);
