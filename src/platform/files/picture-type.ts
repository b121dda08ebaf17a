import { fileTypeFromBuffer } from "file-type";
import { Problem } from "../errors.ts";
import { isPictureType, type PictureType } from "./upload.rules.ts";

const typeNames: Readonly<Record<PictureType, string>> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/avif": "AVIF",
};

/** Returns a picture's type by its first bytes, regardless of its name and headers. Throws unless it is a plain JPEG, PNG, WebP or AVIF. */
export async function requirePictureType(bytes: Buffer, declared: string | undefined): Promise<PictureType> {
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  if (found === undefined || !isPictureType(found))
    throw new Problem("unsupported", "This file is not a JPEG, PNG, WebP or AVIF picture.");
  const declaredType = declaredTypeOf(declared);
  if (declaredType !== undefined && declaredType !== found)
    throw new Problem(
      "unsupported",
      `This file was sent as ${isPictureType(declaredType) ? typeNames[declaredType] : `"${declaredType.slice(0, 60)}"`}, but it is a ${typeNames[found]} picture. Save it again with the correct file type.`,
    );
  if (hidesAnotherFile(bytes, found))
    throw new Problem("unsupported", "This file contains more than a picture. Save it again as a plain picture.");
  return found;
}

export function declaredTypeOf(declared: string | undefined): string | undefined {
  const type = declared?.split(";")[0]?.trim().toLowerCase();
  return type === "application/octet-stream" ? undefined : type;
}

/** Long enough not to occur by chance in compressed pixels. */
const foreignText = /<script|<html|<iframe|<!doctype|<\?php|<svg[\s>]/i;

/** The end of a ZIP archive is in the last 64 kB of a file, the head of a PDF in its first 1,024 bytes. */
const zipEndBytes = 65_557;
const pdfHeadBytes = 1_024;

function hidesAnotherFile(bytes: Buffer, type: PictureType): boolean {
  if (foreignText.test(bytes.toString("latin1"))) return true;
  if (bytes.subarray(0, pdfHeadBytes).includes("%PDF-")) return true;
  if (bytes.subarray(-zipEndBytes).includes("PK\u0005\u0006")) return true;
  if (type === "image/png") return !endsWithPngEnd(bytes);
  return type === "image/webp" && !fillsRiff(bytes);
}

const pngEnd = Buffer.from("0000000049454e44ae426082", "hex");
const endsWithPngEnd = (bytes: Buffer): boolean => {
  const at = bytes.lastIndexOf(pngEnd);
  // A PNG without its end is cut off. The decoder rejects it with a better message.
  return at === -1 || at + pngEnd.length === bytes.length;
};

/** A WebP declares its length in its head. A cut one is shorter and is left to the decoder. */
const fillsRiff = (bytes: Buffer): boolean => bytes.length <= bytes.readUInt32LE(4) + 9;
