/** A booking with the caller's relation to it, for modules that extend bookings. Other callers get not found (404). */

import type { Reader, Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { authorize, maySee, relationTo } from "../policy.ts";
import type { Relation } from "../rules/permissions.rules.ts";
import { type Booking, requireBooking, requireLockedBooking } from "../store.ts";
import { artistOfBooking, type BookedArtist } from "../views.ts";
import { callerOf } from "./booking-cookie.ts";

export type BookingForCaller = Readonly<{ booking: Booking; artist: BookedArtist; relation: Relation }>;

export const findBookingFor = async (context: Context, id: string): Promise<BookingForCaller> =>
  forCaller(context.db, context, await requireBooking(context.db, id));

export const lockBookingFor = async (tx: Tx, context: Context, id: string): Promise<BookingForCaller> =>
  forCaller(tx, context, await requireLockedBooking(tx, id));

export const findForArtist = async (context: Context, id: string): Promise<BookingForCaller> =>
  onlyArtist(await findBookingFor(context, id));

export const lockForArtist = async (tx: Tx, context: Context, id: string): Promise<BookingForCaller> =>
  onlyArtist(await lockBookingFor(tx, context, id));

async function forCaller(reader: Reader, context: Context, booking: Booking): Promise<BookingForCaller> {
  const artist = await artistOfBooking(reader, booking);
  const relation = relationTo(callerOf(context), booking, artist);
  authorize(maySee(relation));
  return { booking, artist, relation };
}

function onlyArtist(found: BookingForCaller): BookingForCaller {
  authorize(found.relation.artist);
  return found;
}
