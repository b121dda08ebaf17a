import { formatInstant } from "#platform/time/calendar.rules.ts";
import { aboutBooking, type BookingDetails, otherName, type Side } from "./bookings.ts";
import { type EmailContent, day, longDay } from "./email.ts";

export const reviewInvitation = (
  booking: BookingDetails & Side & { until: Date; timeZone: string; isNoShow: boolean },
): EmailContent => ({
  subject: booking.isNoShow
    ? `Review ${otherName(booking)}, who did not appear on ${day(booking.eventDate)}`
    : `How was ${day(booking.eventDate)}? Review ${otherName(booking)}`,
  title: booking.isNoShow ? "Tell other promoters" : "How was it?",
  ...aboutBooking(booking, "Write your review"),
  paragraphs: booking.isNoShow
    ? noShowReview(booking)
    : [
        booking.side === "artist"
          ? `Your show of ${longDay(booking.eventDate)} is completed. You can review ${otherName(booking)} until ${formatInstant(booking.until, booking.timeZone)}.`
          : `The show of ${booking.artistName} on ${longDay(booking.eventDate)} is completed. You can review it until ${formatInstant(booking.until, booking.timeZone)}.`,
        "Neither of you can see the other's review until both are submitted or the review period ends.",
      ],
});

const noShowReview = (booking: BookingDetails & { until: Date; timeZone: string }): string[] => [
  `An admin decided that ${booking.artistName} did not appear on ${longDay(booking.eventDate)}. You can review it until ${formatInstant(booking.until, booking.timeZone)}.`,
  `Your review is published on the profile of ${booking.artistName} when you send it. They can reply once.`,
];

/** To both sides, when reviews are published. `both`: the recipient wrote one too. */
export const reviewsPublished = (booking: BookingDetails & Side & { both: boolean }): EmailContent => ({
  subject: booking.both
    ? `The reviews of ${day(booking.eventDate)} are published`
    : `${otherName(booking)} has reviewed ${day(booking.eventDate)}`,
  title: booking.both ? "Both reviews are published" : "You have a review",
  ...aboutBooking(booking, "Read the review"),
  paragraphs: [
    booking.both
      ? `You and ${otherName(booking)} have reviewed each other. You can now read both reviews.`
      : `You can now read the review of ${longDay(booking.eventDate)} by ${otherName(booking)}.`,
    ...(booking.side === "artist" ? ["You can post one public reply."] : []),
  ],
});

/** To its author and to the user who reported it, about a published review. `shown`: again, after it was hidden. `reason`: why it was hidden. */
export function reviewChanged(
  booking: BookingDetails &
    Side & { what: "replied" | "kept" | "hidden" | "shown"; reason: string | null; isAuthor: boolean },
): EmailContent {
  const ofDay = `of ${day(booking.eventDate)}`;
  const about = aboutBooking(booking, "View the reviews");
  if (booking.what === "replied")
    return {
      subject: `${otherName(booking)} replied to your review ${ofDay}`,
      ...about,
      paragraphs: ["The reply is published below your review."],
    };
  if (!booking.isAuthor)
    return {
      subject: `The review ${ofDay} that you reported`,
      ...about,
      paragraphs: [
        booking.what === "kept"
          ? "An admin read the review that you reported, and decided to keep it. It stays published."
          : booking.what === "shown"
            ? "An admin decided that the review that you reported is shown again. It is published."
            : "An admin read the review that you reported, and hid it. It is no longer published.",
      ],
    };
  if (booking.what === "shown")
    return {
      subject: `Your review ${ofDay} is shown again`,
      ...about,
      paragraphs: [`An admin decided to show your review of ${otherName(booking)} again. It is published.`],
    };
  return {
    subject: `Your review ${ofDay} is hidden`,
    ...about,
    paragraphs: [`An admin hid your review of ${otherName(booking)}. It is no longer published. The reason:`],
    ...(booking.reason ? { quote: booking.reason } : {}),
  };
}
