import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { daysBetween, isDay } from "#platform/time/calendar.rules.ts";
import { nightStates } from "./night.rules.ts";

/** The most nights that one answer has. */
export const mostNights = 400;

export const nightInput = z.string().refine(isDay, "A night is written YYYY-MM-DD and must exist.");

const isShortEnough = ({ from, to }: { from: string; to: string }) =>
  !isDay(from) || !isDay(to) || (from <= to && daysBetween(from, to) < mostNights);
const tooLong = { error: `Ask for at most ${mostNights} nights, the first one first.`, path: ["to"] };

export const calendarApi = {
  availability: endpoint("public")
    .route({
      method: "GET",
      path: "/artists/{slug}/availability",
      operationId: "readAvailability",
      tags: ["artists"],
      summary: "How the nights of an artist stand, for anybody: free, on hold, taken or closed",
    })
    .input(
      z.strictObject({ slug: z.string().max(100), from: nightInput, to: nightInput }).refine(isShortEnough, tooLong),
    )
    .output(z.object({ items: z.array(z.object({ night: z.iso.date(), state: z.enum(nightStates) })) })),
};
