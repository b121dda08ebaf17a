import { fileTypeFromBuffer } from "file-type";
import { Problem } from "../errors.ts";
import { declaredTypeOf, requirePictureType } from "./picture-type.ts";

/** Returns a document's type by its first bytes. Throws unless it is a plain PDF, JPEG or PNG. It is only served as a download. */
export async function requireSignedDocumentType(bytes: Buffer, declared: string | undefined) {
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  if (found === "application/pdf") {
    if ((declaredTypeOf(declared) ?? found) !== found)
      throw new Problem("unsupported", "This file was sent as a picture, but it is a PDF.");
    return found;
  }
  if (found === "image/jpeg" || found === "image/png") {
    await requirePictureType(bytes, declared);
    return found;
  }
  throw new Problem("unsupported", "This file is not a PDF, JPEG or PNG.");
}
