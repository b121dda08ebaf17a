import { formatMoneyExact } from "#platform/money.rules.ts";
import { formatSignedMoney } from "../../lib/format/signed-money.ts";
import { StubLine } from "../booking/steps.tsx";
import shared from "../programme.module.css";
import styles from "./sign.module.css";
import type { ContractResponse } from "./use-signing.ts";

type Props = Readonly<{ earnings: NonNullable<ContractResponse["earnings"]>; currency: string }>;

export function Earnings({ earnings, currency }: Props) {
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  return (
    <div className={`sheet ${shared.pad} ${styles.earnings}`}>
      <h2>What you earn</h2>
      <dl className={`${shared.lines} small num`}>
        <StubLine label="Gross">{sum(earnings.gross_cents)}</StubLine>
        <StubLine label="Commission">{formatSignedMoney(-earnings.commission_cents, currency)}</StubLine>
        <StubLine label="Net">
          <strong>{sum(earnings.net_cents)}</strong>
        </StubLine>
      </dl>
    </div>
  );
}
