import { activityDataLists } from "#activity/index.ts";
import { artistsDataLists } from "#artists/index.ts";
import { bookingsDataLists } from "#bookings/index.ts";
import { contractsDataLists } from "#contracts/index.ts";
import { invoicingDataLists } from "#invoicing/index.ts";
import { notificationsDataLists } from "#notifications/index.ts";
import { paymentsDataLists } from "#payments/index.ts";
import { platformDataLists } from "#platform/data-export.ts";
import { reviewsDataLists } from "#reviews/index.ts";
import { settingsDataLists } from "#settings/index.ts";
import { usersDataLists } from "#users/index.ts";

export const dataLists = [
  ...usersDataLists,
  ...settingsDataLists,
  ...artistsDataLists,
  ...bookingsDataLists,
  ...reviewsDataLists,
  ...contractsDataLists,
  ...paymentsDataLists,
  ...invoicingDataLists,
  ...notificationsDataLists,
  ...activityDataLists,
  ...platformDataLists,
];
