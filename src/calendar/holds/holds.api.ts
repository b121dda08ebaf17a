import { z } from "zod";
import { emailPattern } from "#platform/email-address.rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { countShape, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { hasReadableText } from "#platform/text.rules.ts";
import { nightInput as night } from "../api.ts";
import { holdRules, holdStates } from "../queue.rules.ts";
import { holdSorts } from "./list.rules.ts";

const endpoint = endpointsOf("holds");

/** One readable line, as in the booking form: it becomes a part of the contract. */
const line = (max: number, missing: string) => oneLine(max).refine(hasReadableText, missing);

const nightActions = z.object({
  release: z.boolean(),
  book: z.boolean(),
  challenge: z.boolean(),
  extend: z.boolean(),
  move: z.boolean().describe("The artist may change the order of this night's holds"),
  convert: z.boolean().describe("The artist may turn this hold into a booking"),
});

const holdNight = z.object({
  night: z.iso.date(),
  rank: z.int().nullable().describe("1 is the first hold. Null if it has ended"),
  state: z.enum(holdStates),
  expires_at: z.date(),
  ended_at: z.date().nullable(),
  again_from: z
    .date()
    .nullable()
    .describe("From when the promoter can hold the night again. Null if this hold does not prevent it"),
  challenge_ends_at: z.date().nullable().describe("Pay by then, or the night is lost"),
  pays_from: z
    .date()
    .nullable()
    .describe("During a challenge: the night can be booked from then on. Null without one, and for the first hold"),
  must_pay: z.boolean().describe("True: a challenger who moved up to the first hold and must pay by expires_at"),
  is_challenger: z.boolean().describe("This hold challenges the holds above it now"),
  has_challenged: z.boolean().describe("The promoter has challenged for this night, now or before. Once per night"),
  being_booked: z.boolean().describe("The deposit's checkout is open, or the artist has to answer the request"),
  requested: z.boolean().describe("There is an open booking request, and the deposit is not paid yet"),
  requested_by_artist: z.boolean().describe("The artist turned the hold into the open booking request"),
  busy_elsewhere: z
    .boolean()
    .describe("An entry of the artist's other calendars takes the time, so it cannot be booked"),
  may_be_paid: z.boolean().describe("The hold has ended, and its deposit was paid or its checkout is not confirmed"),
  released_for: z.iso.date().nullable().describe("The other night of the hold whose booking released this one"),
  first_until: z.date().nullable().describe("When the first hold of the night ends, if it is another promoter's"),
  booking_id: z.uuid().nullable(),
  can: nightActions,
});

const holdItem = z.object({
  id: z.uuid(),
  artist: z.object({
    name: z.string(),
    slug: z.string(),
    genre: z.string(),
    location: z.string(),
    time_zone: z.string(),
  }),
  promoter_name: z.string(),
  by_hand: z.boolean().describe("Entered by the artist"),
  email: z.string().nullable().describe("As the artist entered it. Only for the artist"),
  event_time: z.string().describe("HH:MM, local"),
  event_location: z.string(),
  event_type: z.string(),
  note: z.string(),
  created_at: z.date(),
  deposit: z
    .object({ cents: z.int(), currency: z.string() })
    .nullable()
    .describe("At today's price. Null if no deposit is required, or if the price is on request"),
  challenge_hours: z.int().describe("The hours in which challenged promoters must pay"),
  nights: z.array(holdNight),
  can: nightActions,
});
export type HoldItem = z.infer<typeof holdItem>;
export type HoldNightItem = HoldItem["nights"][number];

const listedHold = z.object({
  id: z.uuid(),
  hold_id: z.uuid(),
  night: z.iso.date(),
  rank: z.int().nullable().describe("1 is the first hold. For a hold that has ended: its last rank"),
  state: z.enum(holdStates),
  must_pay: z.boolean().describe("The hold is lost unless the deposit is paid by ends_at"),
  ends_at: z.date().describe("For a hold that has ended: when it ended"),
  booking_id: z.uuid().nullable(),
  artist: z.object({ id: z.uuid(), slug: z.string(), name: z.string(), genre: z.string(), location: z.string() }),
  promoter_name: z.string(),
  has_account: z.boolean().describe("The promoter has an account and receives the emails"),
  can: z.object({ release: z.boolean() }),
});
export type ListedHold = z.infer<typeof listedHold>;

const byId = z.object({ id: z.uuid() });
const nights = z.array(night).min(1).max(holdRules.maxNights);
const event = {
  eventTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "A time is written HH:MM."),
  eventLocation: line(300, "Enter a location."),
  eventType: line(100, "Enter the event type."),
  note: prose(2_000).default(""),
};

export const holdsApi = {
  place: endpoint("promoter", "POST /holds", "placeHold")
    .route({ summary: "Hold one or several nights of an artist, at the end of each queue", successStatus: 201 })
    .input(z.strictObject({ artistId: z.string().max(100).describe("The artist's slug"), nights, ...event }))
    .output(holdItem),
  mine: endpoint("promoter", "GET /promoter/holds", "listPromoterHolds")
    .route({
      summary:
        "The promoter's holds, 200 at most: the open ones, their own before those that artists entered, then those that ended within two weeks",
    })
    .output(z.object({ items: z.array(holdItem) })),
  ofArtist: endpoint("artist", "GET /artist/holds", "listArtistHolds")
    .route({ summary: "The artist's open holds. With a night, its queue in order of rank" })
    .input(z.strictObject({ night: night.optional() }))
    .output(z.object({ items: z.array(holdItem) })),
  ofAll: endpoint("admin", "GET /admin/holds", "listHolds")
    .route({
      summary:
        "All nights on hold: open holds by their deadline, then ended ones, newest first; unless ordered otherwise",
    })
    .input(
      z.strictObject({ sort: oneOf(holdSorts).describe("A column, ascending or with - descending"), page: pageNumber }),
    )
    .output(z.object({ items: z.array(listedHold), ...countShape })),
  releaseByAdmin: endpoint("admin", "POST /admin/holds/{id}/release", "releaseHoldAsAdmin")
    .route({
      summary: "Release a night of a hold as an admin; the reason is logged and sent to its promoter and artist",
    })
    .input(byId.extend({ night, reason: prose(500).min(10, "Enter at least 10 characters.") }).strict())
    .output(z.object({ id: z.uuid(), released: z.literal(true) })),
  placeByHand: endpoint("artist", "POST /artist/holds", "placeHoldByHand")
    .route({
      summary: `Enter a hold manually, for at most ${holdRules.maxDays} days, at the end of each queue`,
      successStatus: 201,
    })
    .input(
      z.strictObject({
        nights,
        until: z.coerce.date(),
        name: line(120, "Enter a name."),
        email: z
          .union([
            z.literal("").transform(() => undefined),
            z.email({ pattern: emailPattern, error: "Enter an email address, or leave it empty." }),
          ])
          .optional()
          .describe(
            "If a promoter's account has this address, the hold belongs to that account too. The response does not reveal it",
          ),
        ...event,
      }),
    )
    .output(holdItem),
  release: endpoint("signed-in", "POST /holds/{id}/release", "releaseRankedHold")
    .route({ summary: "Release some or all nights of a hold, as its promoter or artist" })
    .input(byId.extend({ nights: nights.optional() }).strict())
    .output(holdItem),
  challenge: endpoint("promoter", "POST /holds/{id}/challenge", "challengeHold")
    .route({ summary: "Challenge the holds above: they pay within the artist's challenge window, or lose the night" })
    .input(byId.extend({ night }).strict())
    .output(holdItem),
  extend: endpoint("artist", "POST /artist/holds/{id}/extend", "extendHold")
    .route({ summary: `Change when a hold ends, at most ${holdRules.maxDays} days from now` })
    .input(byId.extend({ until: z.coerce.date() }).strict())
    .output(holdItem),
  reorder: endpoint("artist", "POST /artist/holds/reorder", "reorderHolds")
    .route({
      summary: "Change the order of a night's holds; the reason is logged and sent to the promoters whose rank changes",
    })
    .input(
      z.strictObject({
        night,
        ids: z.array(z.uuid()).min(1).max(50).describe("All holds of the night, first hold first"),
        reason: prose(300).min(1, "Give a reason."),
      }),
    )
    .output(z.object({ items: z.array(holdItem) })),
};
