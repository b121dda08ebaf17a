import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import type { Tx } from "#platform/db/index.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { calendarApi } from "./api.ts";
import { nightsOf } from "./night.views.ts";
import { blockNights } from "./holds/blocked-nights.ts";
import { openNights } from "./own-calendar/own-nights.ts";
import { type OwnArtist, ownCalendar, requireOwnArtist } from "./own-calendar/own-calendar.views.ts";
import { removeBlockedTime } from "./store.ts";
import { findPublicArtist } from "./views.ts";

const on = implement(calendarApi).$context<Context>();

const signal = (tx: Tx, artist: OwnArtist) =>
  broadcastChange(tx, "bookings", { userIds: artist.user_id ? [artist.user_id] : [], admins: true });

export const calendarRoutes = on.router({
  own: on.own.handler(async ({ input, context }) => {
    const artist = await requireOwnArtist(context.db, requireActor(context).userId);
    return ownCalendar(context.db, artist, input, context.services.clock.now());
  }),
  block: on.block.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const artist = await requireOwnArtist(tx, userId);
      const blocked = await blockNights(tx, artist, input, context.services.clock.now());
      await signal(tx, artist);
      return blocked;
    });
  }),
  unblock: on.unblock.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const artist = await requireOwnArtist(tx, userId);
      if (!(await removeBlockedTime(tx, artist.id, input.id))) throw notFound("This blocked time does not exist.");
      await signal(tx, artist);
      return { id: input.id };
    });
  }),
  openNights: on.openNights.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const artist = await requireOwnArtist(tx, userId);
      await openNights(tx, artist, input, { by: userId, now: context.services.clock.now() });
      await broadcastChange(tx, "settings", { userIds: [userId] });
      await signal(tx, artist);
      return input;
    });
  }),
  availability: on.availability.handler(async ({ input, context }) => {
    const artist = await findPublicArtist(context.db, input.slug);
    if (!artist) throw notFound("Artist not found");
    return { items: await nightsOf(context.db, artist.id, input, context.services.clock.now()) };
  }),
});
