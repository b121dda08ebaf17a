/** Opaque cursors of keyset lists. */
import { z } from "zod";
import { Problem } from "../errors.ts";

/** Writes the sort values of a page's last row as a cursor. */
export const cursorFor = (values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(values)).toString("base64url");

/** Reads a cursor back by the shape its list expects; refuses one that was made up. */
export function readCursor<T>(cursor: string | undefined, shape: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw new Problem("invalid", "This page of the list cannot be found. Please start again from the first page.");
  }
}
