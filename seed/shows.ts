/** Plans the shows of the demo market: a year of history and half a year ahead, never two on one night of an artist. */
import { Temporal } from "temporal-polyfill";
import { eventTypes } from "#bookings/rules.ts";
import type { Chance } from "./random.ts";
import { planFuture, planPast } from "./outcomes.ts";
import { later, minute, type PlannedArtist, type Promoter, type Show, type Sketch } from "./market.ts";
import { venueNames, wishes } from "./people-data.ts";

/** From this day on *Electric Dreams* is free (design, section 1). */
const keptFree = { slug: "electric-dreams", fromDay: 45 };
/** The next shows of *Electric Dreams*, by days from now; the first six are the demo promoter's, one in every status. */
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
  chance: Chance,
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
          ? chance.between(1, 5)
          : chance.between(0, 2);
    for (const daysAgo of nights(chance, much, 1, 355)) {
      const promoter = chance.hit(star ? 0.16 : 0.03) ? demo : chance.pick(others);
      shows.push(planPast(sketch(artist, promoter, -daysAgo, now, chance), now, chance, star));
    }
    if (!artist.row.is_active) continue;
    if (star) {
      demoNights.forEach(({ days, status }, k) => {
        const promoter = k < demoPromoterNights ? demo : chance.pick(others);
        shows.push(planFuture(sketch(artist, promoter, days, now, chance), status, now, chance));
      });
      continue;
    }
    for (const days of nights(chance, artist.row.featured_rank ? 6 : chance.between(0, 2), 11, 200)) {
      const promoter = chance.hit(0.06) ? demo : chance.pick(others);
      shows.push(planFuture(sketch(artist, promoter, days, now, chance), futureStatus(chance.next()), now, chance));
    }
  }
  return shows;
}

function futureStatus(luck: number): Show["status"] {
  if (luck < 0.2) return "initiated";
  if (luck < 0.32) return "deposit_paid";
  if (luck < 0.52) return "contract_sent";
  return luck < 0.92 ? "contract_signed" : "canceled";
}

/** Different distances in days, in rising order. */
function nights(chance: Chance, count: number, from: number, to: number): number[] {
  const found = new Set<number>();
  while (found.size < count) found.add(chance.between(from, to));
  return [...found].sort((a, b) => a - b);
}

/** A show without a fate: who, when, where and for how much. */
function sketch(artist: PlannedArtist, promoter: Promoter, days: number, now: Date, chance: Chance): Sketch {
  const { row } = artist;
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(row.time_zone).toPlainDate();
  const date = today.add({ days });
  const time = chance.pick(["16:00", "17:30", "18:00", "19:00", "19:30", "20:00", "20:30", "21:00"]);
  const start = new Date(date.toZonedDateTime({ timeZone: row.time_zone, plainTime: time }).epochMilliseconds);
  const minutes = chance.pick([90, 120, 120, 180, 180, 180]);
  const top = row.top_rate ?? row.base_rate;
  const lowest = row.base_rate || 250_000;
  return {
    id: chance.id(),
    artist,
    promoter,
    date: date.toString(),
    time,
    minutes,
    startsAt: start,
    endsAt: later(start, minutes * minute),
    fee: lowest + Math.floor((chance.next() ** 2 * Math.max(0, top - lowest)) / 5_000) * 5_000,
    eventType: chance.pick(eventTypes),
    guests: chance.hit(0.85) ? chance.between(4, 60) * 10 : null,
    venue: `${chance.pick(venueNames)}, ${artist.place}`,
    wish: chance.hit(0.35) ? chance.pick(wishes) : null,
  };
}
