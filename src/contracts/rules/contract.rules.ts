import { hourMs } from "#platform/time/durations.rules.ts";

export const contractStatuses = {
  draft: { label: "Draft", order: 0, tone: "buff" },
  sent: { label: "Sent", order: 1, tone: "blue" },
  signed: { label: "Signed", order: 2, tone: "green" },
  declined: { label: "Declined", order: 3, tone: "cherry" },
} as const;
export type ContractStatus = keyof typeof contractStatuses;

export const displayedContractStatus = (status: string, isBookingCanceled: boolean): string =>
  isBookingCanceled && (status === "draft" || status === "sent") ? "void" : status;

export const contractLabel = (status: string): string =>
  status === "void"
    ? "Void"
    : Object.hasOwn(contractStatuses, status)
      ? contractStatuses[status as ContractStatus].label
      : status;

export const contractStatusNames = Object.keys(contractStatuses) as [ContractStatus, ...ContractStatus[]];

/** The two parties. Each signs once, in either order unless the contract's template names who signs first. */
export const contractSides = ["promoter", "artist"] as const;
export type ContractSide = (typeof contractSides)[number];

export const sideOf = (text: string | null): ContractSide | null => contractSides.find((side) => side === text) ?? null;

/** Returns who may sign now: all who have not, or the first signer alone. `firstSigner` null: either may sign first. */
export const sidesInTurn = (firstSigner: ContractSide | null, unsigned: readonly ContractSide[]): ContractSide[] =>
  unsigned.filter((side) => firstSigner === null || side === firstSigner || !unsigned.includes(firstSigner));

type SigningState = Readonly<{
  first_signer: ContractSide | null;
  signers: readonly { side: ContractSide; signed_at: Date | null }[];
}>;

export const sidesToSign = ({ first_signer: firstSigner, signers }: SigningState): ContractSide[] =>
  sidesInTurn(
    firstSigner,
    signers.filter((signer) => signer.signed_at === null).map(({ side }) => side),
  );

export const fairTurnHours = 24;

/** Returns the party who missed the deadline. "nobody" if both could sign, or the second turn began less than 24 hours before the end. */
export function sideAtFault(contract: SigningState & { expires_at: Date | null }): ContractSide | "nobody" {
  const { first_signer: firstSigner, signers, expires_at: expiresAt } = contract;
  const [side, other] = sidesToSign(contract);
  if (side === undefined || other !== undefined) return "nobody";
  const turnBegan = firstSigner === null ? null : (signers.find((one) => one.side === firstSigner)?.signed_at ?? null);
  if (turnBegan === null || expiresAt === null) return side;
  return expiresAt.getTime() - turnBegan.getTime() < fairTurnHours * hourMs ? "nobody" : side;
}

/** The signing window: days from sending, days of the single extension, and hours before the event at which it ends at the latest. A party who has not signed is reminded `reminderHours` after sending. */
export const signingWindow = { days: 7, extensionDays: 3, hoursBefore: 24, reminderHours: [24, 72] } as const;

/** Returns the end of a signing window that begins at `from`, at least 24 hours before the event if possible, else the event's start. */
export function windowEnd(from: Date, startsAt: Date, days: number = signingWindow.days): Date {
  const latest = startsAt.getTime() - signingWindow.hoursBefore * hourMs;
  if (latest < from.getTime() + 24 * hourMs) return startsAt;
  return new Date(Math.min(from.getTime() + days * 24 * hourMs, latest));
}

/** Returns the end of the window after its single extension. Null if it was extended, or is not because the event is near. */
export function extendedEnd(
  { expires_at: end, extended_at: extendedAt }: Readonly<{ expires_at: Date | null; extended_at: Date | null }>,
  startsAt: Date,
): Date | null {
  if (end === null || extendedAt !== null) return null;
  const later = windowEnd(end, startsAt, signingWindow.extensionDays);
  return later > end && end.getTime() < startsAt.getTime() - signingWindow.hoursBefore * hourMs ? later : null;
}

export const signingCode = { digits: 6, minutes: 10, tries: 5 } as const;

export const objectionHours = 72;

export const objectionEnd = (attestedAt: Date): Date => new Date(attestedAt.getTime() + objectionHours * hourMs);

/** What withdrawing an attested signature does now: the contract is signed again, or the booking ends. Then everything is refunded, or after the show's start an admin divides the held money. */
export const withdrawalEffects = ["signed_again", "refunded", "divided"] as const;
export type WithdrawalEffect = (typeof withdrawalEffects)[number];

/** `atService`: a signing service has the contract, which it cannot open again. */
export function withdrawalEffect(startsAt: Date, atService: boolean, now: Date): WithdrawalEffect {
  if (startsAt <= now) return "divided";
  const hasTime = startsAt.getTime() - now.getTime() >= signingWindow.hoursBefore * hourMs;
  return hasTime && !atService ? "signed_again" : "refunded";
}

export const objectionDecisions = ["upheld", "annulled"] as const;
export type ObjectionDecision = (typeof objectionDecisions)[number];

export const signedDocumentTypes = { "application/pdf": "PDF", "image/jpeg": "JPEG", "image/png": "PNG" } as const;
export type SignedDocumentType = keyof typeof signedDocumentTypes;
export const maxSignedDocumentBytes = 10 * 1024 * 1024;

/** Returns why a file cannot be uploaded as a signed document, or undefined. The server also checks the content. */
export function signedDocumentProblem(file: { size: number; type: string }): string | undefined {
  if (!Object.hasOwn(signedDocumentTypes, file.type)) return "Choose a PDF, JPEG or PNG file.";
  if (file.size > maxSignedDocumentBytes) return "This file is larger than 10 MB. Choose a smaller one.";
  return file.size === 0 ? "The file is empty." : undefined;
}

/** The contract is promised within 24 hours. If it is unsent this many hours after the deposit, admins are notified. */
export const unsentAlarmHours = 20;

/** The snapshot that a contract is made from. Amounts are minor units of `currency`. The date is local to `timeZone`. */
export type ContractTerms = Readonly<{
  /** Empty details are left out, because the fingerprint of older terms must not change. */
  artist: Readonly<{ id: string; name: string; legalName?: string; address?: string; email?: string }>;
  promoter: Readonly<{ name: string; email: string; phone: string; organization?: string }>;
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
