import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";
import { daysBetween, isDay } from "#platform/time/calendar.rules.ts";
import { nightStates, ownNightStates } from "./night.rules.ts";
import { holdStates } from "./queue.rules.ts";

const endpoint = endpointsOf("calendar");

export const holdsOfBooking = z.object({
  night: z.iso.date(),
  from: z
    .object({
      rank: z.int().nullable(),
      state: z.enum(holdStates),
      until: z.date(),
      released_nights: z.array(z.iso.date()).describe("The other nights of this hold that the booking released"),
      ended_others: z.int().describe("Holds of other promoters that the booking ended. 0 for the promoter"),
    })
    .nullable()
    .describe("The hold that the booking came from"),
  queue: z
    .array(z.object({ rank: z.int(), promoter_name: z.string(), until: z.date() }))
    .describe("Who else holds the night, first hold first. Empty for the promoter"),
});
export type HoldsOfBooking = z.infer<typeof holdsOfBooking>;

export const busyElsewhere = z
  .object({ calendar: z.string().describe("The artist's name of the calendar"), starts_at: z.date() })
  .nullable()
  .describe("For the artist: the event of another calendar that takes the time of an open request");

export const maxNights = 400;

const otherYear = "Choose a year from 2000 to 2099.";
const isOfThisCentury = (text: string): boolean => text.startsWith("20");

export const nightInput = z
  .string()
  .refine(isDay, "A night is written YYYY-MM-DD and must exist.")
  .refine(isOfThisCentury, otherYear);

const isShortEnough = ({ from, to }: { from: string; to: string }) =>
  !isDay(from) || !isDay(to) || (from <= to && daysBetween(from, to) < maxNights);
const tooLong = { error: `Request at most ${maxNights} nights, the earliest one first.`, path: ["to"] };

const localMoment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:00)?$/, "A local time is written YYYY-MM-DDTHH:MM.")
  .refine((text) => isDay(text.slice(0, 10)), "This day does not exist.")
  .refine(isOfThisCentury, otherYear);

const entryKinds = ["show", "request", "hold", "blocked", "external"] as const;
export type EntryKind = (typeof entryKinds)[number];

const calendarEntry = z.object({
  kind: z.enum(entryKinds),
  id: z.uuid(),
  title: z
    .string()
    .describe("The promoter, the note of a blocked time, or the artist's name for the other calendar of an entry"),
  venue: z.string().nullable().describe("The venue of a booking, or the location of a ranked hold"),
  starts_at: z.date(),
  ends_at: z.date(),
  night: z.iso.date().describe("The night that it begins in"),
  last_night: z.iso.date().describe("The night that it ends in"),
  time_zone: z.string(),
  booking_id: z.uuid().nullable(),
  status: z.string().nullable().describe("The booking's status. Null without a booking"),
  hold: z
    .object({ id: z.uuid(), rank: z.int(), challenged: z.boolean() })
    .nullable()
    .describe("The ranked hold. Null for a checkout's hold of 30 minutes and for every other entry"),
  conflict: z.boolean().describe("A show and an entry of another calendar overlap"),
});

const blockedTime = calendarEntry
  .pick({ id: true, starts_at: true, ends_at: true, night: true, time_zone: true })
  .extend({ note: z.string() });

export const calendarApi = {
  own: endpoint("artist", "GET /artist/calendar", "readArtistCalendar")
    .route({ summary: "Shows, requests, holds, blocked times and entries of other calendars that overlap the nights" })
    .input(z.strictObject({ from: nightInput, to: nightInput }).refine(isShortEnough, tooLong))
    .output(
      z.object({
        items: z.array(calendarEntry),
        night_ends_at: z.string().describe("HH:MM, local"),
        time_zone: z.string().describe("The artist's time zone"),
        closed: z.array(z.iso.date()).describe("The nights on which the artist takes no requests"),
        exceptions: z.array(z.iso.date()).describe("The nights that differ from the nights of the week"),
        nights: z
          .array(z.object({ night: z.iso.date(), state: z.enum(ownNightStates) }))
          .describe("Whether promoters can request each night, and if not, why"),
        bookable: z
          .object({ first: z.iso.date(), last: z.iso.date() })
          .describe("The first and last night by the artist's notice and maximum advance"),
      }),
    ),
  block: endpoint("artist", "POST /artist/blocked-times", "blockTime")
    .route({
      summary:
        "Block a time in the artist's zone; open requests for it end. 409 for a show, and for a hold that is not named",
      successStatus: 201,
    })
    .input(
      z
        .strictObject({
          starts_at: localMoment,
          ends_at: localMoment,
          note: prose(200).default(""),
          release_holds: z
            .array(z.uuid())
            .max(200)
            .default([])
            .describe(
              "The holds that need this time. They are released for their nights, and their promoters are notified",
            ),
        })
        .refine(({ starts_at, ends_at }) => starts_at < ends_at, {
          error: "The end must be after the start.",
          path: ["ends_at"],
        }),
    )
    .output(blockedTime),
  unblock: endpoint("artist", "DELETE /artist/blocked-times/{id}", "unblockTime")
    .route({ summary: "Remove a blocked time" })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ id: z.uuid() })),
  openNights: endpoint("artist", "PUT /artist/night-exceptions", "openNights")
    .route({ summary: "Open or close nights for requests, regardless of their weekday" })
    .input(z.strictObject({ nights: z.array(nightInput).min(1).max(maxNights), open: z.boolean() }))
    .output(z.object({ nights: z.array(z.iso.date()), open: z.boolean() })),
  availability: endpoint("public", "GET /artists/{slug}/availability", "readAvailability", { replica: true })
    .route({
      tags: ["artists"],
      summary: "The public state of each night of an artist: free, on hold, taken or closed",
    })
    .input(
      z.strictObject({ slug: z.string().max(100), from: nightInput, to: nightInput }).refine(isShortEnough, tooLong),
    )
    .output(z.object({ items: z.array(z.object({ night: z.iso.date(), state: z.enum(nightStates) })) })),
};
