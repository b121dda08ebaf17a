/** Decides which preference a message obeys. A template without an entry is always sent by email and never by SMS. */
import type { ArtistSettings, PromoterSettings } from "#settings/rules.ts";
import type { Channel } from "./rules.ts";
import type { TemplateName } from "./templates/index.ts";

type SwitchOf<Settings> = {
  [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never;
}[keyof Settings];

type Preference<Settings> = Readonly<{ email: SwitchOf<Settings>; sms?: SwitchOf<Settings> }>;

const artistRequests = { email: "emailBookingRequests", sms: "smsBookingRequests" } as const;
const artistMoney = { email: "emailPaymentNotifications", sms: "smsPaymentNotifications" } as const;
const artistReviews = { email: "emailBookingRequests" } as const;
const artistContracts = { email: "emailContractUpdates" } as const;

/** What an artist chooses about the messages of their bookings. */
export const artistPreferences: Partial<Record<TemplateName, Preference<ArtistSettings>>> = {
  new_request: artistRequests,
  booking_confirmation: artistRequests,
  booking_canceled: artistRequests,
  review_invitation: artistReviews,
  reviews_published: artistReviews,
  deposit_received: artistMoney,
  balance_received: artistMoney,
  paid_out: artistMoney,
  contract_sent: artistContracts,
  contract_reminder: artistContracts,
  contract_signed: artistContracts,
};

const promoterBookings = { email: "emailBookingConfirmations" } as const;
const promoterMoney = { email: "emailPaymentNotifications" } as const;
const promoterContracts = { email: "emailContractUpdates" } as const;

/** What a promoter chooses. Urgent: the evening is off. Payment reminders: the date is lost unless somebody pays. */
export const promoterPreferences: Partial<Record<TemplateName, Preference<PromoterSettings>>> = {
  request_received: promoterBookings,
  booking_confirmation: promoterBookings,
  booking_canceled: { ...promoterBookings, sms: "smsUrgentUpdates" },
  review_invitation: promoterBookings,
  reviews_published: promoterBookings,
  deposit_received: promoterMoney,
  balance_received: promoterMoney,
  balance_reminder: { ...promoterMoney, sms: "smsPaymentReminders" },
  payment_failed: { ...promoterMoney, sms: "smsPaymentReminders" },
  checkout_declined: { ...promoterMoney, sms: "smsPaymentReminders" },
  hold_ended: { ...promoterMoney, sms: "smsPaymentReminders" },
  contract_sent: promoterContracts,
  contract_reminder: promoterContracts,
  contract_signed: promoterContracts,
};

/** Sent by email whatever is chosen, and by SMS as well where the switch is on. */
const alwaysByEmail: Partial<Record<TemplateName, SwitchOf<PromoterSettings>>> = {
  date_lost: "smsUrgentUpdates",
  // What is owed is asked for whatever is chosen: without these emails the date could be released unannounced.
  balance_due: "smsPaymentReminders",
  balance_charge_planned: "smsPaymentReminders",
  balance_charge_failed: "smsPaymentReminders",
  balance_overdue: "smsPaymentReminders",
  balance_extended: "smsPaymentReminders",
};

/** Whoever has switched on SMS about bookings gets the code before a signature by SMS, where a verified number is known. */
export const wantsCodesBySms = {
  artist: ({ smsBookingRequests }: ArtistSettings): boolean => smsBookingRequests,
  promoter: ({ smsUrgentUpdates }: PromoterSettings): boolean => smsUrgentUpdates,
} as const;

/** Whether an artist with these settings gets the message on this channel. */
export const artistWants = (settings: ArtistSettings, template: TemplateName, channel: Channel): boolean =>
  wants(settings, artistPreferences[template], channel);

/** Whether a promoter with these settings gets the message on this channel. */
export function promoterWants(settings: PromoterSettings, template: TemplateName, channel: Channel): boolean {
  const urgent = alwaysByEmail[template];
  if (urgent) return channel === "email" || settings[urgent];
  return wants(settings, promoterPreferences[template], channel);
}

function wants<Settings>(settings: Settings, preference: Preference<Settings> | undefined, channel: Channel): boolean {
  if (!preference) return channel === "email";
  const name = preference[channel];
  return name !== undefined && Boolean(settings[name]);
}
