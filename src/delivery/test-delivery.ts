import { randomUUID } from "node:crypto";
import type { Config } from "#platform/config.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { platformSettings } from "#settings/index.ts";
import { adapterFor } from "./deliver.ts";
import type { Channel } from "./rules.ts";
import { insertMessage } from "./store.ts";

export const testDelivery = (config: Config, channel: Channel): Promise<string> => adapterFor(config, channel).test();

const subject = "Test email";
const text = "This is the test email that you requested under Components. Emails from this site reach you.";

/** Sends a real email without the queue, or adds one to the demo's outbox. Returns what was done. Throws the relay's error. */
export async function sendTestEmail(services: PlatformServices, to: string): Promise<string> {
  const { config, database } = services;
  const adapter = adapterFor(config, "email");
  const accepted = await adapter.test();
  if (!config.smtpUrl) {
    await database.transaction((tx) =>
      insertMessage(tx, { channel: "email", recipient: to, template: "component_test", subject, text }),
    );
    return "A test email to you is in the outbox, readable at /dev/outbox.";
  }
  const { fromEmail: from, replyToEmail: replyTo } = await platformSettings(database.db);
  await adapter.send({ id: randomUUID(), to, from, replyTo, subject, text, html: null, attachment: null });
  return `${accepted} It accepted a test email to you.`;
}
