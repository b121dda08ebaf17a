import type { ContractSide } from "#contracts/rules.ts";

/** The data of the error for a link that no longer opens its contract: the booking and why the link has ended. */
export type EndedLink = Readonly<{
  booking_id: string;
  side: ContractSide;
  end: "canceled" | "attested" | "signed" | "expired" | "used";
}>;
