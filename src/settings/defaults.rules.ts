/** The default of every setting. Without libraries, because public pages read it. */

import { defaultCurrency } from "#payments/rules.ts";
import { weekdays } from "./choices.rules.ts";
import type { ArtistSettings, PlatformSettings, PromoterSettings } from "./rules.ts";

export const sellerDefaults = { legalName: "", legalAddress: "", taxId: "", taxLabel: "VAT", taxBps: 0 };

export const platformDefaults: PlatformSettings = {
  depositPercent: 25,
  currency: defaultCurrency,
  commissionBps: 1000,
  policyName: "standard",
  allowFlexiblePolicy: true,
  allowStandardPolicy: true,
  allowStrictPolicy: true,
  mostOpenHolds: 5,
  timeZone: "America/New_York",
  esignProvider: "embedded",
  defaultTemplateId: "",
  requireSigningCode: false,
  fromEmail: "bookings@stagedoor.example",
  replyToEmail: "help@stagedoor.example",
  supportEmail: "help@stagedoor.example",
  emailFooter: "Bookings, contracts and payouts for live artists.",
  smsProvider: "twilio",
  primaryColor: "#6366f1",
  logoUrl: "",
  imprintUrl: "",
  privacyUrl: "",
  termsUrl: "",
  ...sellerDefaults,
  pricesIncludeTax: false,
};

export const artistDefaults: ArtistSettings = {
  availabilityNote: "",
  minimumNotice: 7, // days
  maximumBookingDays: 365,
  bufferBefore: 60, // minutes
  bufferAfter: 60, // minutes
  nightEndsAt: "06:00",
  openNights: [...weekdays],
  nightExceptions: [],
  holdsEnabled: false,
  holdDays: 7,
  challengeHours: 24,
  travelRadius: 50, // miles
  travelSpeed: 80,
  travelSpeedUnit: "kmh",
  emailBookingRequests: true,
  emailContractUpdates: true,
  emailPaymentNotifications: true,
  smsBookingRequests: false,
  smsPaymentNotifications: true,
  showContactInfo: false,
  allowDirectMessages: true,
  publicProfile: true,
  requireDeposit: true,
  policyName: "",
  acceptCorporateEvents: true,
  acceptPrivateEvents: true,
  acceptWeddingEvents: true,
  ...sellerDefaults,
};

export const promoterDefaults: PromoterSettings = {
  organizationName: "",
  legalAddress: "",
  taxId: "",
  contactName: "",
  phone: "",
  website: "",
  description: "",
  emailBookingConfirmations: true,
  emailContractUpdates: true,
  emailPaymentNotifications: true,
  smsUrgentUpdates: false,
  smsPaymentReminders: true,
  autoApproveArtists: false,
  requireContractSigning: true,
  defaultEventDuration: 3,
  preferredContactMethod: "email",
};
