/** The inputs and replies of lists that people leaf through by page number. */
import { z } from "zod";
import { lastPage } from "../list.rules.ts";

/** A query value that is empty says nothing: `?search=&page=`. */
export const emptyAsMissing = (value: unknown): unknown =>
  typeof value === "string" && value.trim() === "" ? undefined : value;

/** What people type into the search box of a list: one line, single spaces, at most 200 characters. */
export const listSearch = z.preprocess(
  emptyAsMissing,
  z
    .string()
    .max(200)
    .refine(
      (text) => !text.includes("\0") && text.isWellFormed(),
      "The search contains characters that no name can have.",
    )
    .transform((text) => text.normalize("NFC").trim().replaceAll(/\s+/gu, " "))
    .optional(),
);

export const pageNumber = z.preprocess(emptyAsMissing, z.coerce.number().int().min(1).max(lastPage).default(1));

/** A query value from a set of words; empty and "all" mean that it does not narrow the list. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess((value) => (value === "all" ? undefined : emptyAsMissing(value)), z.enum(words).optional());

/** How many rows a list has: all are counted, at most 10,000; `capped` says that there are more. */
export const countShape = { total: z.int(), capped: z.boolean() };

export const numberedPageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), ...countShape });
