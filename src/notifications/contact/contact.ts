import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { platformSettings } from "#settings/index.ts";
import { enqueueMessage } from "../enqueue.ts";
import type { ContactInput } from "../rules.ts";
import { insertContactMessage } from "./store.ts";

export async function receiveContact(tx: Tx, message: ContactInput): Promise<string> {
  const { supportEmail } = await platformSettings(tx);
  const id = await insertContactMessage(tx, message);
  const about = { channel: "email", refId: id } as const;
  await enqueueMessage(tx, {
    ...about,
    template: "contact_message",
    to: supportEmail,
    params: message,
    replyTo: message.email,
  });
  await enqueueMessage(tx, {
    ...about,
    template: "contact_acknowledgement",
    to: message.email,
    params: { supportEmail },
  });
  await recordActivity(tx, { type: "system", refId: id, message: "A message was sent through the contact page." });
  return id;
}
