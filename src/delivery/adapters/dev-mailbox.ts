import type { DeliveryAdapter } from "./adapter.ts";

/** Messages are only stored, and displayed at /dev/outbox. */
export const devMailboxAdapter = (): DeliveryAdapter => ({
  name: "dev-mailbox",
  send: () => Promise.resolve(null),
  test: () => Promise.resolve("Messages are readable at /dev/outbox."),
  close: () => undefined,
});
