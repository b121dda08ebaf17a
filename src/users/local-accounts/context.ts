/** The input of account functions, as plain values. They open transactions themselves, because limits and hashing are outside. */

import type { Device } from "../sessions/sessions.store.ts";
import type { Origin } from "../verification/attempt-limits.ts";

export type AccountContext = Origin &
  Readonly<{ device: Device; site: string; currentRefreshToken: string | undefined }>;
