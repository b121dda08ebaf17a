import type { DeliveryAdapter } from "./adapter.ts";

/** Demo mode: a message counts as delivered by being readable at /dev/outbox. */
export const devMailboxAdapter = (): DeliveryAdapter => ({
  name: "dev-mailbox",
  send: () => Promise.resolve(null),
  test: () => Promise.resolve("Messages are readable at /dev/outbox."),
  close: () => undefined,
});
