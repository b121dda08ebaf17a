import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { EmailContent } from "./email.ts";
import { day, longDay } from "./format.ts";
import { type Gig, other, reader, type Side, when } from "./bookings.ts";

export function reviewInvitation(gig: Gig & Side & { until: Date; timeZone: string }): EmailContent {
  return {
    subject: `How was ${day(gig.eventDate)}? Review ${other(gig)}`,
    title: "How was it?",
    name: reader(gig),
    paragraphs: [
      gig.side === "artist"
        ? `Your show of ${longDay(gig.eventDate)} is completed. You can review ${other(gig)} until ${formatInstant(gig.until, gig.timeZone)}.`
        : `The show of ${gig.artistName} on ${longDay(gig.eventDate)} is completed. You can review it until ${formatInstant(gig.until, gig.timeZone)}.`,
      "Neither of you can see the other's review until both are submitted or the review period ends.",
    ],
    button: { label: "Write your review", href: gig.link },
    facts: when(gig),
  };
}

/** To both sides, when reviews are published. `both`: the recipient wrote one too. */
export function reviewsPublished(gig: Gig & Side & { both: boolean }): EmailContent {
  return {
    subject: gig.both
      ? `The reviews of ${day(gig.eventDate)} are published`
      : `${other(gig)} has reviewed ${day(gig.eventDate)}`,
    title: gig.both ? "Both reviews are published" : "You have a review",
    name: reader(gig),
    paragraphs: [
      gig.both
        ? `You and ${other(gig)} have reviewed each other. You can now read both reviews.`
        : `The review period for ${longDay(gig.eventDate)} has ended. You can now read the review by ${other(gig)}.`,
      ...(gig.side === "artist" ? ["You can post one public reply."] : []),
    ],
    button: { label: "Read the review", href: gig.link },
    facts: when(gig),
  };
}
