import type { Router } from "@orpc/server";
import { activityRoutes } from "#activity/index.ts";
import { artistsRoutes } from "#artists/index.ts";
import { bookingsRoutes, travelRoutes } from "#bookings/index.ts";
import { calendarConnectionsRoutes } from "#calendar/connections/index.ts";
import { calendarFeedsRoutes } from "#calendar/feeds/index.ts";
import { holdsRoutes } from "#calendar/holds/index.ts";
import { externalCalendarsRoutes } from "#calendar/import/index.ts";
import { calendarRoutes } from "#calendar/index.ts";
import { esignRoutes } from "#contracts/index.ts";
import { invoicingRoutes } from "#invoicing/index.ts";
import { notificationsRoutes } from "#notifications/index.ts";
import { paymentsRoutes } from "#payments/index.ts";
import { accountsRoutes } from "#payouts/index.ts";
import type { Context } from "#platform/http/context.ts";
import { realtimeRoutes } from "#realtime/index.ts";
import { webhooksRoutes } from "#reconciliation/index.ts";
import { overviewsRoutes, ownPaymentsRoutes, reportsRoutes } from "#reports/index.ts";
import { reviewsRoutes } from "#reviews/index.ts";
import { settingsRoutes } from "#settings/index.ts";
import { usersRoutes } from "#users/index.ts";
import { clockRoutes } from "../clock/routes.ts";
import { componentsRoutes } from "../components/routes.ts";
import type { Services } from "../services.ts";
import type { api } from "./api.ts";

export const router: Router<typeof api, Context<Services>> = {
  activity: activityRoutes,
  artists: artistsRoutes,
  bookings: bookingsRoutes,
  calendarConnections: calendarConnectionsRoutes,
  calendarFeeds: calendarFeedsRoutes,
  calendar: { ...calendarRoutes, holds: holdsRoutes, travel: travelRoutes },
  clock: clockRoutes,
  components: componentsRoutes,
  documents: invoicingRoutes,
  esign: esignRoutes,
  externalCalendars: externalCalendarsRoutes,
  live: realtimeRoutes,
  notifications: notificationsRoutes,
  overviews: overviewsRoutes,
  ...paymentsRoutes,
  reports: reportsRoutes,
  ownPayments: ownPaymentsRoutes,
  paymentAccount: accountsRoutes,
  reviews: reviewsRoutes,
  settings: settingsRoutes,
  users: usersRoutes,
  webhooks: webhooksRoutes,
};
