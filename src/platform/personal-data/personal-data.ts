/** What happens to personal data: when an account is deleted, and by its age. Each module declares it in the list of its tables. */

import type { PersonRows } from "./data-export.ts";

export const retentionReasons = {
  accounting:
    "An invoice, a receipt, a payment or a payout: retained for at least 10 years for tax law, never changed.",
  contract:
    "The contract and the evidence of its signatures: retained for at least 10 years, because both parties rely on it.",
  dispute: "A division or a dispute of money: retained for at least 10 years with the payment.",
  log: "The activity log is append-only: a chain of hashes detects each later change.",
  published: "Published by an artist under a stage name; bookings, contracts and reviews of other users refer to it.",
  provider: "Simulates the payment provider's own records. It exists in demo mode only.",
} as const;
export type RetentionReason = keyof typeof retentionReasons;

type Erased =
  | string
  | null
  | readonly never[]
  | Readonly<Record<string, never>>
  | Readonly<{ retained: RetentionReason }>;

type Shared<C extends string> = Readonly<{
  reason: string;
  /** How the rows are found if the export's list does not find all of them. */
  found?: PersonRows<C>;
  /** SQL for the rows of a deleted account that are deleted, not cleared. */
  deletedWhere?: string;
  /** What the nightly job does with all rows: `days` after `since`, where `where` (SQL) is true. */
  nightly?: readonly Readonly<{ action: "delete" | "clear"; days: number; since: C; where?: string }>[];
}>;

/** What the deletion of an account does with the rows. "module": the module deletes them itself. */
type Erase = "delete" | "clear" | "keep" | "module";

export type PersonalData<C extends string> = Shared<C> &
  Readonly<{ columns: Readonly<Partial<Record<C, Erased>>>; erase: Erase }>;

/** How a list declares it: names of retained columns separated by spaces, and the values that replace all others. */
export type DeclaredPersonalData<C extends string> = Shared<C> &
  Readonly<{ retained?: Readonly<Partial<Record<RetentionReason, string>>> }> &
  (
    | Readonly<{ columns: PersonalData<C>["columns"]; erase: Exclude<Erase, "keep"> }>
    | Readonly<{ columns?: undefined; erase?: Erase }>
  );

export const isRetained = (value: unknown): value is Readonly<{ retained: RetentionReason }> =>
  typeof value === "object" && value !== null && "retained" in value;
