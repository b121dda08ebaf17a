import type { EmailContent } from "../templates/email.ts";
import { catalog, type Recipients } from "./catalog.ts";

export type TemplateName = keyof typeof catalog;
export type TemplateParams<T extends TemplateName> = Parameters<(typeof catalog)[T]["template"]>[0];
type RecipientsOf<T extends TemplateName> = keyof (typeof catalog)[T]["to"];
/** The templates for this recipient. With a union, those that are for each of its members. */
export type TemplateFor<Recipient extends string> = {
  [T in TemplateName]: [Recipient] extends [RecipientsOf<T>] ? T : never;
}[TemplateName];

/** Renders the email of a template. Every email and SMS about a booking includes its number. */
export function renderEmail<T extends TemplateName>(template: T, params: TemplateParams<T>): EmailContent {
  const writer = catalog[template].template as (params: TemplateParams<T>) => EmailContent;
  const email = withPoster(writer(params), template, params);
  const number = "number" in params ? params.number : null;
  if (typeof number !== "string" || number === "") return email;
  const { sms, details = [] } = email;
  const isNamed = details.some(([, value]) => value === number);
  return {
    ...email,
    ...(isNamed ? {} : { details: [...details, ["Booking", number]] }),
    ...(sms === undefined || sms.includes(number) ? {} : { sms: `${number}: ${sms}` }),
  };
}

function withPoster(email: EmailContent, template: TemplateName, params: object): EmailContent {
  const { poster, artistName } = params as { poster?: string | null; artistName?: string };
  return poster && artistName && isPosterShown(template)
    ? { ...email, picture: { src: poster, alt: artistName } }
    : email;
}

const rowOf = (name: string) => (Object.hasOwn(catalog, name) ? catalog[name as TemplateName] : undefined);

export const isSecret = (name: string): boolean => rowOf(name)?.secret ?? false;

export const isErased = (name: string): boolean => rowOf(name)?.erased ?? false;

export function isAccountNotice(name: string): boolean {
  const to: Recipients | undefined = rowOf(name)?.to;
  return to?.account?.email !== undefined;
}

/** Returns "Booking Confirmation" for booking_confirmation. */
export const templateTitle = (name: string): string =>
  rowOf(name)?.title ?? name.replaceAll("_", " ").replaceAll(/\b\w/g, (initial) => initial.toUpperCase());

/** Templates with the artist's poster: good news, or a booking that the recipient must recognize. Problems, account notices and emails to admins have no picture. */
const shown: ReadonlySet<TemplateName> = new Set<TemplateName>([
  "request_received",
  "new_request",
  "hold_changed",
  "booking_link",
  "booking_confirmation",
  "deposit_received",
  "balance_reminder",
  "balance_charge_planned",
  "balance_due",
  "balance_extended",
  "balance_received",
  "contract_sent",
  "contract_reminder",
  "contract_signed",
  "review_invitation",
  "reviews_published",
]);

export const isPosterShown = (template: TemplateName): boolean => shown.has(template);
