import type { ContractResponse } from "../use-signing.ts";

export const hash = "ab".repeat(32);
const amounts = [
  { label: "Deposit, 25% of the fee, due at booking", amount: "$375.00 (USD)", isSum: false },
  { label: "Balance, due on Saturday 16 January 2027", amount: "$1,125.00 (USD)", isSum: false },
  { label: "Fee", amount: "$1,500.00 (USD)", isSum: true },
];
const clause = (section: number, at: number) => ({
  number: `${section}.${at}`,
  content: `Clause ${section}.${at} binds both parties.`,
  page: section < 3 ? 1 : 2,
});
const text: NonNullable<NonNullable<ContractResponse["document"]>["text"]> = {
  title: "Performance agreement",
  parties: "between Hannah Whitt (the promoter) and Electric Dreams (the artist)",
  sections: ["The parties", "The fee", "On the day"].map((heading, at) => ({
    number: `${at + 1}`,
    heading,
    page: at < 2 ? 1 : 2,
    clauses: [clause(at + 1, 1), { ...clause(at + 1, 2), ...(at === 1 ? { content: amounts } : {}) }],
  })),
  signatures: ["Hannah Whitt, promoter: signs electronically; see the certificate of the signed copy."],
  pages: 2,
};
export const storedDocument = (): NonNullable<ContractResponse["document"]> => ({
  url: "/api/contracts/c/file/agreement?until=1&key=k",
  is_signed: false,
  sha256: hash,
  pages: 2,
  bytes: 84_000,
  text,
});
export const contract: ContractResponse = {
  contract_id: "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f00",
  booking_id: "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f01",
  number: "SD-7KQ4MN",
  side: "promoter",
  status: "sent",
  booking_status: "contract_sent",
  artist: {
    name: "Electric Dreams",
    slug: "electric-dreams",
    genre: "Electronic",
    location: "Austin, TX",
    inks: { ground: "#efb4c6", ink: "#2c1636" },
  },
  event_date: "2027-02-13",
  venue_name: "The Waterworks",
  time_zone: "America/Chicago",
  expires_at: "2026-11-28T20:03:00.000Z",
  extends_until: null,
  signers: [
    { side: "promoter", name: "Hannah Whitt", signed_at: null, signature: null },
    { side: "artist", name: "Electric Dreams", signed_at: null, signature: null },
  ],
  signed_by_former_owner: false,
  document: storedDocument(),
  balance: { cents: 112_500, due: "2027-01-16" },
  refund_if_declined: 37_500,
  waiting_if_declined: 0,
  earnings: null,
  currency: "usd",
  can_sign: true,
  signs_before: null,
  first_signer: null,
  accept_by_click: false,
  code: null,
  corrected_email: null,
  service: null,
};
