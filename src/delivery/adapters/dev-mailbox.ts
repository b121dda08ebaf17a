import type { DeliveryAdapter } from "./adapter.ts";

export const devMailboxAdapter = (): DeliveryAdapter => ({
  name: "dev-mailbox",
  send: () => Promise.resolve(null),
  test: () => Promise.resolve("Messages are readable at /dev/outbox."),
  close: () => undefined,
});
