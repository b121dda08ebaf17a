import type { AgreementContext } from "#contracts/documents/variables.ts";
import type { ContractTerms } from "#contracts/rules.ts";
import type { AgreementClause } from "#contracts/rules/template.rules.ts";

export const agreementTerms: ContractTerms = {
  artist: { id: "a", name: "Ηλεκτρικά Όνειρα" },
  promoter: { name: "Žofie Нова", email: "zofie@example.test", phone: "+420 1" },
  event: {
    date: "2027-02-13",
    time: "20:30",
    timeZone: "America/Chicago",
    durationMinutes: 270,
    type: "Concert",
    guestCount: 180,
    venueName: "The Waterworks",
    venueAddress: "210 Barton Springs Rd, Austin",
    specialRequests: "A quiet corner {{fee}}",
  },
  money: {
    feeCents: 150_000,
    depositCents: 37_500,
    balanceCents: 112_500,
    depositPercent: 25,
    commissionBps: 1_000,
    currency: "usd",
  },
  policy: {},
};

export const agreementContext: AgreementContext = {
  number: "SD-7KQ4MN",
  cancellationTerms: ["The promoter cancels 29 days before the event or earlier: the artist keeps $375.00."],
  policyName: "standard",
  balanceDueDays: 28,
  isBalancePayable: true,
};

/** Returns the texts of a clause. */
export const wordsOf = (clause: AgreementClause): string[] =>
  typeof clause === "string" ? [clause] : clause.flatMap(({ label, amount }) => [label, amount]);
