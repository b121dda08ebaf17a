import { formatMoneyExact } from "#platform/money.rules.ts";
import { StubLine } from "../booking/steps.tsx";
import shared from "../programme.module.css";
import styles from "./sign.module.css";
import type { ShownContract } from "./use-signing.ts";

type Props = Readonly<{ earnings: NonNullable<ShownContract["earnings"]>; currency: string }>;

export function Earnings({ earnings, currency }: Props) {
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  return (
    <div className={`sheet ${shared.pad} ${styles.earnings}`}>
      <h2>What you earn</h2>
      <dl className={`${shared.lines} small num`}>
        <StubLine word="Gross">{sum(earnings.gross_cents)}</StubLine>
        <StubLine word="Commission">−&nbsp;{sum(earnings.commission_cents)}</StubLine>
        <StubLine word="Net">
          <strong>{sum(earnings.net_cents)}</strong>
        </StubLine>
      </dl>
    </div>
  );
}
