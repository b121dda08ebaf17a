import { activityApi } from "#activity/api.ts";
import { artistsApi } from "#artists/api.ts";
import { bookingsApi } from "#bookings/api.ts";
import { travelApi } from "#bookings/travel/travel.api.ts";
import { calendarApi } from "#calendar/api.ts";
import { calendarConnectionsApi } from "#calendar/connections/api.ts";
import { calendarFeedsApi } from "#calendar/feeds/api.ts";
import { holdsApi } from "#calendar/holds/holds.api.ts";
import { externalCalendarsApi } from "#calendar/import/api.ts";
import { esignApi } from "#contracts/webhooks/esign.api.ts";
import { invoicingApi } from "#invoicing/api.ts";
import { notificationsApi } from "#notifications/api.ts";
import { refusedRefundsApi } from "#payments/refunds/refused-refunds.api.ts";
import { accountsApi } from "#payouts/accounts/accounts.api.ts";
import { payoutsApi } from "#payouts/payouts.api.ts";
import { realtimeApi } from "#realtime/api.ts";
import { webhooksApi } from "#reconciliation/webhooks/webhooks.api.ts";
import { overviewsApi, reportsApi } from "#reports/api.ts";
import { ownPaymentsApi } from "#reports/own-payments.api.ts";
import { reviewsApi } from "#reviews/api.ts";
import { settingsApi } from "#settings/api.ts";
import { usersApi } from "#users/api.ts";
import { clockApi } from "../clock/api.ts";
import { componentsApi } from "../components/api.ts";

export const api = {
  activity: activityApi,
  artists: artistsApi,
  bookings: bookingsApi,
  calendarConnections: calendarConnectionsApi,
  calendarFeeds: calendarFeedsApi,
  calendar: { ...calendarApi, holds: holdsApi, travel: travelApi },
  clock: clockApi,
  components: componentsApi,
  documents: invoicingApi,
  esign: esignApi,
  externalCalendars: externalCalendarsApi,
  live: realtimeApi,
  notifications: notificationsApi,
  overviews: overviewsApi,
  refusedRefunds: refusedRefundsApi,
  reports: reportsApi,
  ownPayments: ownPaymentsApi,
  paymentAccount: accountsApi,
  payouts: payoutsApi,
  reviews: reviewsApi,
  settings: settingsApi,
  users: usersApi,
  webhooks: webhooksApi,
};

export type Api = typeof api;
