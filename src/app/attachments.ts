import { readSignedCopy } from "#contracts/index.ts";
import type { AttachmentRef } from "#delivery/index.ts";
import { fileOfDocument } from "#invoicing/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";

export const readAttachment = async (services: PlatformServices, { kind, id }: AttachmentRef) =>
  kind === "document" ? (await fileOfDocument(services, id))?.bytes : readSignedCopy(services.database.db, id);
