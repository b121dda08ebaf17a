const hourMs = 3_600_000;

/** The four states of a contract with the label, tone and order of their badge (specification, section 4). */
export const contractStatuses = {
  draft: { label: "Draft", order: 0, tone: "buff" },
  sent: { label: "Sent", order: 1, tone: "blue" },
  signed: { label: "Signed", order: 2, tone: "green" },
  declined: { label: "Declined", order: 3, tone: "cherry" },
} as const;
export type ContractStatus = keyof typeof contractStatuses;

export const contractLabel = (status: string): string =>
  Object.hasOwn(contractStatuses, status) ? contractStatuses[status as ContractStatus].label : status;

export const contractStatusNames = Object.keys(contractStatuses) as [ContractStatus, ...ContractStatus[]];

export function statusOf(text: string): ContractStatus {
  const status = contractStatusNames.find((name) => name === text);
  if (!status) throw new Error(`the contract has the unknown status "${text}"`);
  return status;
}

/** The two parties; each signs once, in either order unless the template of the contract names who signs first. */
export const contractSides = ["promoter", "artist"] as const;
export type ContractSide = (typeof contractSides)[number];

export const sideOf = (text: string | null): ContractSide | null => contractSides.find((side) => side === text) ?? null;

/** Returns who may sign now: all who have not, or the first signer alone. `firstSigner` null: either may sign first. */
export const sidesInTurn = (firstSigner: ContractSide | null, unsigned: readonly ContractSide[]): ContractSide[] =>
  unsigned.filter((side) => firstSigner === null || side === firstSigner || !unsigned.includes(firstSigner));

/** Whoever's turn began with fewer hours left than this is not at fault for the end of the window. */
export const fairTurnHours = 24;

/** Returns who let the signing time pass; null if both could sign, or the second turn began less than a day before the end. */
export function sideAtFault(contract: {
  firstSigner: ContractSide | null;
  signers: readonly { side: ContractSide; signedAt: Date | null }[];
  expiresAt: Date | null;
}): ContractSide | "nobody" {
  const { firstSigner, signers, expiresAt } = contract;
  const unsigned = signers.filter(({ signedAt }) => signedAt === null).map(({ side }) => side);
  const [side, other] = sidesInTurn(firstSigner, unsigned);
  if (side === undefined || other !== undefined) return "nobody";
  const turnBegan = firstSigner === null ? null : (signers.find((one) => one.side === firstSigner)?.signedAt ?? null);
  if (turnBegan === null || expiresAt === null) return side;
  return expiresAt.getTime() - turnBegan.getTime() < fairTurnHours * hourMs ? "nobody" : side;
}

/** The signing window: so many days from sending, extended once by so many, and never nearer to the event than so many hours. */
export const signingWindow = { days: 7, extensionDays: 3, hoursBefore: 24 } as const;

/** Returns the end of a signing window that begins at `from`, at least 24 hours before the event if possible, else the event's start. */
export function windowEnd(from: Date, startsAt: Date, days: number = signingWindow.days): Date {
  const latest = startsAt.getTime() - signingWindow.hoursBefore * hourMs;
  if (latest < from.getTime() + 24 * hourMs) return startsAt;
  return new Date(Math.min(from.getTime() + days * 24 * hourMs, latest));
}

export function extendedEnd(end: Date, startsAt: Date): Date | null {
  const later = windowEnd(end, startsAt, signingWindow.extensionDays);
  return later > end && end.getTime() < startsAt.getTime() - signingWindow.hoursBefore * hourMs ? later : null;
}

/** A one-time code before a signature: its digits, how long it holds, and how often it may be typed. */
export const signingCode = { digits: 6, minutes: 10, tries: 5 } as const;

/** So many hours a party has to object to what an admin attested. */
export const objectionHours = 72;

export const objectionEnd = (attestedAt: Date): Date => new Date(attestedAt.getTime() + objectionHours * hourMs);

/** What an admin decides about an objection: the signature holds, or the attestation is withdrawn. */
export const objectionDecisions = ["upheld", "annulled"] as const;
export type ObjectionDecision = (typeof objectionDecisions)[number];

/** The kinds of file in which a signed paper is taken, and how large it may be (10 MB, in bytes). */
export const signedDocumentTypes = { "application/pdf": "PDF", "image/jpeg": "JPEG", "image/png": "PNG" } as const;
export type SignedDocumentType = keyof typeof signedDocumentTypes;
export const largestSignedDocument = 10 * 1024 * 1024;

/** Says why a file cannot be taken as a signed paper; undefined when it may be tried. The server looks into the file itself. */
export function signedDocumentProblem(file: { size: number; type: string }): string | undefined {
  if (!Object.hasOwn(signedDocumentTypes, file.type)) return "Choose a PDF, JPEG or PNG file.";
  if (file.size > largestSignedDocument) return "This file is larger than 10 MB. Choose a smaller one.";
  return file.size === 0 ? "The file is empty." : undefined;
}

/** The contract is promised within 24 hours; unsent after so many, admins are alarmed. */
export const sendingAlarmHours = 20;

/** The snapshot a contract is made from. Amounts are minor units of `currency`; the date is local to `timeZone`. */
export type ContractTerms = Readonly<{
  /** Details that were empty when the terms were fixed are left out, so that the fingerprint of older terms stays the same. */
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
