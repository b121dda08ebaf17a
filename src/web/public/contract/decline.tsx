import { formatMoney } from "#platform/money.rules.ts";
import { useTextForm } from "../../booking/use-text-form.ts";
import { useFormDraft } from "../../lib/form-draft.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { otherPartyOf } from "./contract-head.tsx";
import type { ContractResponse } from "./use-signing.ts";
import styles from "./sign.module.css";

type Props = Readonly<{ contract: ContractResponse; onDecline(reason: string): Promise<void> }>;

export const waitingText = ({ waiting_if_declined: waiting, currency }: ContractResponse) =>
  waiting > 0 ? ` ${formatMoney(waiting, currency)} of it waits until the dispute at the payer's bank has ended.` : "";

function moneyText(contract: ContractResponse): string {
  const { side, refund_if_declined: refund, currency } = contract;
  const later = waitingText(contract);
  if (side === "artist" && refund === 0) return "The booking ends. There is no payment to refund.";
  if (side === "artist") return `The booking ends, and the promoter receives a full refund.${later}`;
  if (refund) return `The booking ends, and you get ${formatMoney(refund, currency)} back.${later}`;
  return "The booking ends. You receive no refund: nothing was paid, or the cancellation terms exclude it.";
}

export function Decline({ contract, onDecline }: Props) {
  const draft = useFormDraft(`decline:${contract.booking_id}:${contract.side}`);
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "reason",
    min: 5,
    message: "Describe briefly what should change.",
    send: async (reason) => {
      await onDecline(reason);
      draft.clear();
    },
  });
  return (
    <details className={styles.decline}>
      <summary>Something is wrong? Decline instead</summary>
      <form {...draft.props} noValidate onSubmit={onSubmit} aria-label="Decline">
        <TextArea
          label="What should change?"
          name="reason"
          rows={3}
          maxLength={1000}
          required
          error={fieldError}
          hint={`${otherPartyOf(contract)} reads this. ${moneyText(contract)}`}
        />
        <ErrorNote message={error} />
        <Button type="submit" tone="bad" busy={busy} busyLabel="Declining...">
          Decline contract
        </Button>
      </form>
    </details>
  );
}
