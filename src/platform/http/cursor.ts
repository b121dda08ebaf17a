import { z } from "zod";
import { invalidField } from "../errors.ts";
import { isStorable } from "../text.rules.ts";
import { isDay } from "../time/calendar.rules.ts";
import { dayInput } from "../time/day.api.ts";

const instant = /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4])(:[0-5]\d)?)$/;

export const cursorKeys = {
  /** An instant as PostgreSQL writes it, to the microsecond: "2027-02-13 20:30:00.123456+00", or with Z for the zone. */
  instant: z.string().refine((text) => isDay(instant.exec(text)?.[1] ?? "")),
  day: dayInput,
  int: z.int().min(0).max(2_147_483_647),
  distance: z.number().min(0),
  micros: z.int().min(0),
  text: z.string().max(400).refine(isStorable),
  id: z.uuid(),
};

export const cursorFor = (values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(values)).toString("base64url");

export function readCursor<T>(cursor: string | undefined, shape: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw invalidField("cursor", "This page of the list was not found. Start again from the first page.");
  }
}
