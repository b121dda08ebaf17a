import type { PlatformServices } from "#platform/services/index.ts";
import type { Attachment } from "./adapters/adapter.ts";
import { type AttachmentColumn, type AttachmentRef, attachmentRefOf, type Due } from "./store.ts";

/** Reads the PDF of an email. Returns undefined if there is none. */
export type ReadAttachment = (services: PlatformServices, ref: AttachmentRef) => Promise<Uint8Array | undefined>;

/** Returns the attachment of a message: the stored calendar file, or a PDF that is read now. Null without one, undefined if it is missing. */
export async function attachmentOf(
  services: PlatformServices,
  message: Pick<Due, AttachmentColumn>,
  readAttachment: ReadAttachment,
): Promise<Attachment | null | undefined> {
  const { attachment_name: name, attachment_text: text } = message;
  if (name === null) return null;
  if (text !== null) return { name, bytes: Buffer.from(text), contentType: calendarType(text) };
  const ref = attachmentRefOf(message);
  const bytes = ref && (await readAttachment(services, ref));
  return bytes ? { name, bytes, contentType: "application/pdf" } : undefined;
}

const calendarType = (text: string) =>
  `text/calendar; charset=utf-8; method=${/^METHOD:([A-Z]+)/m.exec(text)?.[1] ?? "PUBLISH"}`;
