import type { PlatformServices } from "#platform/services/index.ts";
import type { Attachment } from "./adapters/adapter.ts";
import { type AttachmentRef, attachmentRefOf } from "./store.ts";

/** Reads the PDF of an email. Returns undefined if there is none. */
export type ReadAttachment = (services: PlatformServices, ref: AttachmentRef) => Promise<Uint8Array | undefined>;

type MessageColumns = Parameters<typeof attachmentRefOf>[0] &
  Readonly<{ attachment_name: string | null; attachment_text: string | null }>;

/** Returns the attachment of a message: the stored calendar file, or a PDF that is read now. Null without one, undefined if it is missing. */
export async function attachmentOf(
  services: PlatformServices,
  message: MessageColumns,
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
