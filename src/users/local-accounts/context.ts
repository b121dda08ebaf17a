/**
 * What the use-cases of accounts need to know of their caller, as plain values; `gotrue/call.ts` fills it from a request. They
 * open their transactions themselves, because limits are counted and passwords hashed outside of them.
 */
import type { Device } from "../sessions/sessions.store.ts";
import type { Origin } from "../verification/attempt-limits.ts";

export type AccountContext = Origin &
  Readonly<{
    device: Device;
    /** The root of the links in emails. */
    site: string;
    /** The refresh token of the session that this browser is signed in with; undefined without one and for API clients. */
    currentRefreshToken: string | undefined;
  }>;
