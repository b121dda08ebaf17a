/** Every endpoint with its handler. */
import { artistsRoutes } from "#artists/index.ts";
import { bookingsRoutes } from "#bookings/index.ts";
import { notificationsRoutes } from "#notifications/index.ts";
import { settingsRoutes } from "#settings/index.ts";
import { usersRoutes } from "#users/index.ts";

export const router = {
  artists: artistsRoutes,
  bookings: bookingsRoutes,
  notifications: notificationsRoutes,
  settings: settingsRoutes,
  users: usersRoutes,
};
