/** The rules of contracts, pure. */

/** The four states of a contract with the label, tone and order of their badge (specification, section 4). */
export const contractStatuses = {
  draft: { label: "Draft", order: 0, tone: "buff" },
  sent: { label: "Sent", order: 1, tone: "blue" },
  signed: { label: "Signed", order: 2, tone: "green" },
  declined: { label: "Declined", order: 3, tone: "cherry" },
} as const;
export type ContractStatus = keyof typeof contractStatuses;

/** The label of a status; other values are displayed as they are. */
export const contractLabel = (status: string): string =>
  Object.hasOwn(contractStatuses, status) ? contractStatuses[status as ContractStatus].label : status;

/** The names alone, for shapes and filters. */
export const contractStatusNames = Object.keys(contractStatuses) as [ContractStatus, ...ContractStatus[]];

/** Reads a stored status; throws for one that this version does not know. */
export function statusOf(text: string): ContractStatus {
  const status = contractStatusNames.find((name) => name === text);
  if (!status) throw new Error(`the contract has the unknown status "${text}"`);
  return status;
}

/** The snapshot a contract is made from. Amounts are minor units of `currency`; the date is local to `timeZone`. */
export type ContractTerms = Readonly<{
  artist: Readonly<{ id: string; name: string }>;
  promoter: Readonly<{ name: string; email: string; phone: string }>;
  event: Readonly<{
    date: string;
    time: string;
    timeZone: string;
    durationMinutes: number;
    type: string;
    guestCount: number | null;
    venueName: string;
    venueAddress: string;
    specialRequests: string | null;
  }>;
  money: Readonly<{
    feeCents: number;
    depositCents: number;
    balanceCents: number;
    depositPercent: number;
    commissionBps: number;
    currency: string;
  }>;
  policy: unknown;
}>;
