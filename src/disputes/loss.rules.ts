/** How the money of a lost dispute is divided. All amounts are minor units of its currency. */

type Refund = Readonly<{ amount: number }>;

/** Returns the refunds that a loss completes, from the first on, with the part of each that it covers. */
export function coverRefunds<R extends Refund>(
  withdrawn: number,
  refunds: readonly R[],
): { refund: R; part: number }[] {
  let left = withdrawn;
  return refunds.flatMap((refund) => {
    const part = Math.min(refund.amount, left);
    left -= part;
    return part > 0 ? [{ refund, part }] : [];
  });
}

/** Divides the `rest` of a loss that no refund covers: over what is held, then what was released of the booking, at most what the charge still holds (`ofCharge`). The platform bears what remains. */
export function divideLoss(rest: number, of: Readonly<{ ofCharge: number; held: number; released: number }>) {
  const takable = Math.min(rest, Math.max(0, of.ofCharge));
  const held = Math.min(takable, Math.max(0, of.held));
  return { held, released: Math.min(takable - held, Math.max(0, of.released)) };
}

/** Returns which of the refunds that a loss completed are due again after an appeal, as far as their money was returned. `rest`: what was returned of a larger refund. */
export function refundsToReopen<R extends Refund>(
  covered: readonly R[],
  { from_refunds, withdrawn, regained }: Readonly<{ from_refunds: number; withdrawn: number; regained: number }>,
): { due: R[]; reopened: number; rest: number } {
  const completed = Math.min(from_refunds, sumOf(covered));
  let rest = Math.max(0, completed - Math.max(0, withdrawn - regained));
  const due = covered.filter(({ amount }) => {
    if (amount > rest) return false;
    rest -= amount;
    return true;
  });
  return { due, reopened: sumOf(due), rest };
}

const sumOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0);
