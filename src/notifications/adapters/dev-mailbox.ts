import type { Adapter } from "./adapter.ts";

/** The demo's postman: the message is delivered by being readable at /dev/outbox. */
export const outboxAdapter = (): Adapter => ({
  name: "outbox",
  send: () => Promise.resolve(null),
  close: () => undefined,
});
