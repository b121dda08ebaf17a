import { Temporal } from "temporal-polyfill";
import { formatMoneyExact, formatPercent } from "#platform/money.rules.ts";
import { addDays, describeDay } from "#platform/time/calendar.rules.ts";
import type { ContractSide, ContractTerms } from "../rules/contract.rules.ts";
import {
  type AgreementCondition,
  clauseConditions,
  quoteMark,
  signingOrderText,
  type TemplateValues,
} from "../rules/template.rules.ts";

/** The booking's additions to its terms: the same for the same terms, because a document can be made again. */
export type AgreementContext = Readonly<{
  number: string;
  cancellationTerms: readonly string[];
  policyName: string;
  balanceDueDays: number;
  isBalancePayable: boolean;
}>;

const hoursAndMinutes = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    ...(hours ? [`${hours} ${hours === 1 ? "hour" : "hours"}`] : []),
    ...(rest ? [`${rest} ${rest === 1 ? "minute" : "minutes"}`] : []),
  ];
  return parts.join(" ") || "not agreed";
};

/** Returns "America/Chicago, UTC-06:00", with the offset at the start of the show, and at its end if the clocks change in between. */
function zoneText(starts: Temporal.ZonedDateTime, ends: Temporal.ZonedDateTime): string {
  const zone = `${starts.timeZoneId}, UTC${starts.offset}`;
  if (starts.offset === ends.offset) return zone;
  return `${zone} at the start and UTC${ends.offset} at the end, because the clocks change in between`;
}

/** Returns the name of the venue with its address, without repetition: the form has both in one field. */
function venueText({ venueName, venueAddress }: ContractTerms["event"]): string {
  const [name, address] = [oneLine(venueName) ?? "", oneLine(venueAddress) ?? ""];
  const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  if (contains(address, name)) return address;
  return contains(name, address) ? name : `${name}, ${address}`;
}

function artistParty({ name, legalName, address, email }: ContractTerms["artist"]): string {
  const who = legalName && legalName !== name ? `${legalName}, performing as ${name}` : name;
  return withContact([who, oneLine(address)], [email]);
}

const promoterParty = ({ name, organization, email, phone }: ContractTerms["promoter"]): string =>
  withContact([organization ? `${organization}, represented by ${name}` : name], [email, phone]);

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const oneLine = (text: string | undefined) =>
  text
    ?.split(lineBreak)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(", ");

function withContact(parts: readonly (string | undefined)[], contact: readonly (string | undefined)[]): string {
  const reached = contact.filter(Boolean).join(", ");
  return `${parts.filter(Boolean).join(", ")}${reached ? ` (${reached})` : ""}`;
}

/** Marks each paragraph as the promoter's, because it must not look like a clause. */
const marked = (text: string): string =>
  text === ""
    ? ""
    : text
        .split(lineBreak)
        .map((line) => `${quoteMark}${line}`)
        .join("\n");

export function agreementValues(
  terms: ContractTerms,
  context: AgreementContext,
  firstSigner: ContractSide | null,
): TemplateValues {
  const { event, money, promoter, artist } = terms;
  const starts = Temporal.PlainDateTime.from(`${event.date}T${event.time}`).toZonedDateTime(event.timeZone);
  const ends = starts.add({ minutes: event.durationMinutes });
  const clock = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: "minute" });
  const nextDay = Temporal.PlainDate.compare(starts.toPlainDate(), ends.toPlainDate()) !== 0;
  const sum = (cents: number) => `${formatMoneyExact(cents, money.currency)} (${money.currency.toUpperCase()})`;
  const conditions: AgreementCondition[] = [
    ...(money.depositCents > 0 ? (["has_deposit"] as const) : []),
    ...(money.balanceCents > 0 ? ([context.isBalancePayable ? "has_balance" : "has_direct_balance"] as const) : []),
    ...(money.commissionBps > 0 ? (["has_commission"] as const) : []),
    ...(event.specialRequests?.trim() ? (["has_special_requests"] as const) : []),
    ...(event.guestCount ? (["has_guest_count"] as const) : []),
    ...clauseConditions.filter((condition) => condition === `policy_${context.policyName}`),
  ];
  return {
    variables: {
      number: context.number,
      artist_name: artist.name,
      artist_party: artistParty(artist),
      promoter_name: promoter.name,
      promoter_party: promoterParty(promoter),
      promoter_email: promoter.email,
      promoter_phone: promoter.phone,
      event_date: describeDay(event.date),
      start_time: clock(starts),
      end_time: `${clock(ends)}${nextDay ? " the next day" : ""}`,
      time_zone: zoneText(starts, ends),
      set_length: hoursAndMinutes(event.durationMinutes),
      event_type: event.type,
      guest_count: String(event.guestCount ?? ""),
      venue: venueText(event),
      venue_name: event.venueName,
      venue_address: event.venueAddress,
      special_requests: marked(event.specialRequests?.trim() ?? ""),
      fee: sum(money.feeCents),
      deposit: sum(money.depositCents),
      deposit_percent: formatPercent(money.depositPercent),
      balance: sum(money.balanceCents),
      balance_due: describeDay(addDays(event.date, -context.balanceDueDays)),
      commission_percent: formatPercent(money.commissionBps / 100),
      cancellation_policy: context.policyName,
      signing_order: signingOrderText(firstSigner),
    },
    conditions: new Set(conditions),
    cancellationTerms: context.cancellationTerms,
  };
}
