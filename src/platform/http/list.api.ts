import { z } from "zod";
import { lastPage } from "../list.rules.ts";
import { isStorable } from "../text.rules.ts";
import { dayInput } from "../time/day.api.ts";

export const emptyAsMissing = (value: unknown): unknown =>
  typeof value === "string" && value.trim() === "" ? undefined : value;

export const listSearch = z.preprocess(
  emptyAsMissing,
  z
    .string()
    .max(200)
    .refine(isStorable, "The search contains characters that no name can have.")
    .transform((text) => text.normalize("NFC").trim().replaceAll(/\s+/gu, " "))
    .optional(),
);

export const pageNumber = z.preprocess(emptyAsMissing, z.coerce.number().int().min(1).max(lastPage).default(1));

/** A query value from a set of words. Empty and "all" do not filter the list. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess((value) => (value === "all" ? undefined : emptyAsMissing(value)), z.enum(words).optional());

/** How many rows a list has. At most 10,000 are counted: `capped` is true if there are more. */
export const countShape = { total: z.int(), capped: z.boolean() };

export const numberedPageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), ...countShape });

export const listDay = z.preprocess(emptyAsMissing, dayInput.optional());
