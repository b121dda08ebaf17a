/** Every endpoint with its handler. */
import { artistsRoutes } from "#artists/index.ts";
import { bookingsRoutes } from "#bookings/index.ts";
import { overviewsRoutes } from "#bookings/overview/routes.ts";
import { notificationsRoutes } from "#notifications/index.ts";
import { settingsRoutes } from "#settings/index.ts";
import { usersRoutes } from "#users/index.ts";

export const router = {
  artists: artistsRoutes,
  bookings: bookingsRoutes,
  notifications: notificationsRoutes,
  overviews: overviewsRoutes,
  settings: settingsRoutes,
  users: usersRoutes,
};
