import { z } from "zod";
import { isCurrency } from "#payments/rules.ts";
import { emailPattern, maxEmailLength } from "#platform/email-address.rules.ts";
import { oneLine as line, prose } from "#platform/security/text.api.ts";
import { isTimeZone } from "#platform/time/calendar.rules.ts";
import { type BoundedSetting, bounds } from "./bounds.rules.ts";
import {
  contactMethods,
  esignProviders,
  maxExceptions,
  nightEndPattern,
  speedUnits,
  weekdays,
} from "./choices.rules.ts";
import { artistDefaults, platformDefaults, promoterDefaults } from "./defaults.rules.ts";
import { policyChoices, policyNames } from "./policy-names.rules.ts";

const smsProviders = ["none", "twilio"] as const;

const mailbox = z.email({ pattern: emailPattern }).max(maxEmailLength);
const whole = (name: BoundedSetting) => z.number().int().min(bounds[name].min).max(bounds[name].max);

const hexColour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "Enter # and six hex digits, like #6366f1.")
  .transform((colour) => colour.toLowerCase());

export type CurrencyChanged = Readonly<{ from: string; to: string }>;

const currencyCode = z.string().refine(isCurrency, "Enter a currency that payments can take, like usd.");

export const timeZoneName = z.string().max(64).refine(isTimeZone, "Enter a known time zone, like America/Chicago.");

const logoAddress = line(500).refine(
  (text) => text === "" || isPicture(text),
  "Enter an address that starts with https://, or leave this empty.",
);

function isPicture(text: string): boolean {
  if (/^\/storage\/[\w./-]+$/.test(text)) return !text.includes("..");
  return URL.canParse(text) && new URL(text).protocol === "https:" && !/["'()\\\s<>]/.test(text);
}

const website = line(300).refine(
  (text) => text === "" || (URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol)),
  "Enter an address that starts with https://, or leave this empty.",
);

/** The seller on receipts and invoices, and the tax that prices include. The rate is in hundredths of a percent. */
const sellerShape = {
  legalName: line(200),
  legalAddress: prose(500),
  taxId: line(50),
  taxLabel: line(20),
  taxBps: whole("taxBps"),
};

/** The platform's settings. The deposit is in percent, 1 to 100, the commission in hundredths of a percent, at most half. */
export const platformShape = {
  depositPercent: whole("depositPercent"),
  currency: currencyCode,
  commissionBps: whole("commissionBps"),
  policyName: z.enum(policyNames),
  allowFlexiblePolicy: z.boolean(),
  allowStandardPolicy: z.boolean(),
  allowStrictPolicy: z.boolean(),
  mostOpenHolds: whole("mostOpenHolds"),
  timeZone: timeZoneName,
  esignProvider: z.enum(esignProviders),
  defaultTemplateId: line(100),
  requireSigningCode: z.boolean(),
  fromEmail: mailbox,
  replyToEmail: mailbox,
  supportEmail: mailbox,
  emailFooter: prose(500),
  smsProvider: z.enum(smsProviders),
  primaryColor: hexColour,
  logoUrl: logoAddress,
  imprintUrl: website,
  privacyUrl: website,
  termsUrl: website,
  ...sellerShape,
  pricesIncludeTax: z.boolean(),
};

/** An artist's settings, in the units of bounds.rules.ts. A night ends at a local time of its next day. */
export const artistShape = {
  availabilityNote: prose(2000),
  minimumNotice: whole("minimumNotice"),
  maximumBookingDays: whole("maximumBookingDays"),
  bufferBefore: whole("bufferBefore"),
  bufferAfter: whole("bufferAfter"),
  nightEndsAt: z.string().regex(nightEndPattern, "Enter a time before noon, like 06:00."),
  openNights: z.array(z.enum(weekdays)).max(weekdays.length),
  nightExceptions: z.array(z.strictObject({ night: z.iso.date(), open: z.boolean() })).max(maxExceptions),
  travelRadius: whole("travelRadius"),
  travelSpeed: whole("travelSpeed"),
  travelSpeedUnit: z.enum(speedUnits),
  holdsEnabled: z.boolean(),
  holdDays: whole("holdDays"),
  challengeHours: whole("challengeHours"),
  emailBookingRequests: z.boolean(),
  emailContractUpdates: z.boolean(),
  emailPaymentNotifications: z.boolean(),
  smsBookingRequests: z.boolean(),
  smsPaymentNotifications: z.boolean(),
  showContactInfo: z.boolean(),
  allowDirectMessages: z.boolean(),
  publicProfile: z.boolean(),
  requireDeposit: z.boolean(),
  policyName: z.enum(policyChoices),
  acceptCorporateEvents: z.boolean(),
  acceptPrivateEvents: z.boolean(),
  acceptWeddingEvents: z.boolean(),
  ...sellerShape,
};

export const promoterShape = {
  organizationName: line(200),
  legalAddress: sellerShape.legalAddress,
  taxId: sellerShape.taxId,
  contactName: line(200),
  phone: line(40),
  website,
  description: prose(2000),
  emailBookingConfirmations: z.boolean(),
  emailContractUpdates: z.boolean(),
  emailPaymentNotifications: z.boolean(),
  smsUrgentUpdates: z.boolean(),
  smsPaymentReminders: z.boolean(),
  autoApproveArtists: z.boolean(),
  requireContractSigning: z.boolean(),
  defaultEventDuration: whole("defaultEventDuration"),
  preferredContactMethod: z.enum(contactMethods),
};

const platform = z.strictObject(platformShape);
const artist = z.strictObject(artistShape);
const promoter = z.strictObject(promoterShape);

export type PlatformSettings = z.output<typeof platform>;
export type ArtistSettings = z.output<typeof artist>;
export type PromoterSettings = z.output<typeof promoter>;

export const documents = {
  platform: { shape: platform, defaults: platformDefaults },
  artist: { shape: artist, defaults: artistDefaults },
  promoter: { shape: promoter, defaults: promoterDefaults },
} as const;

export type Scope = keyof typeof documents;
export type SettingsOf<S extends Scope> = (typeof documents)[S]["defaults"];

/** The addresses of emails that this installation uses until an admin saves others. */
const senderAddresses = platform.pick({ fromEmail: true, replyToEmail: true, supportEmail: true });
export type SenderAddresses = z.output<typeof senderAddresses>;
/** The entry of the stored platform document with them. It exists outside demo mode and localhost only. */
export const senderDefaultsName = "senderDefaults";

/** The entry of a stored document with the seller data that changes replaced, oldest first. */
export const formerSellersName = "formerSellers";
const storedSellers = z.looseObject({ [formerSellersName]: z.array(z.looseObject({ until: z.iso.datetime() })) });

export const formerSellersOf = (stored: unknown) => storedSellers.safeParse(stored).data?.[formerSellersName] ?? [];

export const platformOwner = "00000000-0000-0000-0000-000000000000";

/** Parses a stored document, with the seller data at `at`. Each entry that is missing or no longer allowed is replaced by its default. */
export function withDefaults<S extends Scope>(scope: S, stored: unknown, at?: Date): SettingsOf<S> {
  const { shape, defaults } = documents[scope];
  const former = at && formerSellersOf(stored).find(({ until }) => new Date(until) > at);
  const given: Record<string, unknown> = stored && typeof stored === "object" ? { ...stored, ...former } : {};
  const ofInstallation = senderAddresses.safeParse(given[senderDefaultsName]).data;
  const entries = Object.entries({ ...defaults, ...ofInstallation }).map(([name, otherwise]) => {
    if (given[name] === undefined) return [name, otherwise];
    const check = shape.shape[name as keyof typeof shape.shape] as z.ZodType;
    const read = check.safeParse(given[name]);
    return [name, read.success ? read.data : otherwise];
  });
  return Object.fromEntries(entries) as SettingsOf<S>;
}
