/** Plans the shows of the demo market: a year of history and half a year ahead, at most one per artist and night. */

import { eventTypes } from "#bookings/rules.ts";
import { eventSpan } from "#calendar/time.rules.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import type { DraftShow, PlannedArtist, Promoter, Show } from "./market.ts";
import { planFuture, planPast } from "./outcomes.ts";
import { specialRequests, venueNames } from "./people-data.ts";
import type { Random } from "./random.ts";

/** From this day on *Electric Dreams* is free. */
const keptFree = { slug: "electric-dreams", fromDay: 45 };
/** The next shows of *Electric Dreams*, by days from now. The first six are the demo promoter's, one in every status. */
const demoNights = [
  { days: 12, status: "contract_signed" },
  { days: 19, status: "contract_sent" },
  { days: 23, status: "deposit_paid" },
  { days: 26, status: "initiated" },
  { days: 33, status: "canceled" },
  { days: 41, status: "contract_signed" },
  { days: 16, status: "contract_signed" },
  { days: 30, status: "contract_sent" },
  { days: 37, status: "initiated" },
  { days: 40, status: "deposit_paid" },
] as const;
const demoPromoterNights = 6;

/** Plans every show. The first promoter is the one of the demo account. */
export function planShows(
  artists: readonly PlannedArtist[],
  promoters: readonly Promoter[],
  now: Date,
  random: Random,
): Show[] {
  const [demo, ...others] = promoters;
  if (!demo) throw new RangeError("the demo market needs its promoter");
  const shows: Show[] = [];
  for (const artist of artists) {
    const star = artist.row.slug === keptFree.slug;
    const much = star
      ? 58
      : artist.row.featured_rank
        ? 15
        : artist.row.is_active
          ? random.between(1, 5)
          : random.between(0, 2);
    const past = nights(random, much, 1, 355);
    const toReview = star ? past.find((daysAgo) => daysAgo >= 4 && daysAgo <= 14) : undefined;
    for (const daysAgo of past) {
      const drawn = random.boolean(star ? 0.16 : 0.03) ? demo : random.pick(others);
      const promoter = daysAgo === toReview ? demo : drawn;
      shows.push(planPast(draft(artist, promoter, -daysAgo, now, random), now, random, star));
    }
    if (!artist.row.is_active) continue;
    if (star) {
      demoNights.forEach(({ days, status }, k) => {
        const promoter = k < demoPromoterNights ? demo : random.pick(others);
        shows.push(planFuture(draft(artist, promoter, days, now, random), status, now, random));
      });
      continue;
    }
    for (const days of nights(random, artist.row.featured_rank ? 6 : random.between(0, 2), 11, 200)) {
      const promoter = random.boolean(0.06) ? demo : random.pick(others);
      shows.push(planFuture(draft(artist, promoter, days, now, random), futureStatus(random.next()), now, random));
    }
  }
  return shows;
}

function futureStatus(draw: number): Show["status"] {
  if (draw < 0.2) return "initiated";
  if (draw < 0.32) return "deposit_paid";
  if (draw < 0.52) return "contract_sent";
  return draw < 0.92 ? "contract_signed" : "canceled";
}

function nights(random: Random, count: number, from: number, to: number): number[] {
  const found = new Set<number>();
  while (found.size < count) found.add(random.between(from, to));
  return [...found].sort((a, b) => a - b);
}

function draft(artist: PlannedArtist, promoter: Promoter, days: number, now: Date, random: Random): DraftShow {
  const { row } = artist;
  const date = addDays(dayIn(row.time_zone, now), days);
  const time = random.pick(["16:00", "17:30", "18:00", "19:00", "19:30", "20:00", "20:30", "21:00"]);
  const minutes = random.pick([90, 120, 120, 180, 180, 180]);
  const span = eventSpan({ date, time, zone: row.time_zone, minutes });
  if ("missing" in span) throw new RangeError(span.missing.message);
  const top = row.top_rate ?? row.base_rate;
  const lowest = row.base_rate || 250_000;
  return {
    id: random.id(),
    artist,
    promoter,
    date,
    time,
    minutes,
    startsAt: span.startsAt,
    endsAt: span.endsAt,
    fee: lowest + Math.floor((random.next() ** 2 * Math.max(0, top - lowest)) / 5_000) * 5_000,
    eventType: random.pick(eventTypes),
    guests: random.boolean(0.85) ? random.between(4, 60) * 10 : null,
    venue: `${random.pick(venueNames)}, ${artist.place}`,
    specialRequest: random.boolean(0.35) ? random.pick(specialRequests) : null,
  };
}
