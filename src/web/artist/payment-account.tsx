import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { onboardingAction } from "#payouts/accounts.rules.ts";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { attempt } from "../lib/attempt.ts";
import { useOpenPaymentAccount, useRefreshPaymentAccount } from "../lib/api/own-payments.ts";
import { momentText } from "../booking/progress.ts";
import { leaveFor } from "../lib/leave-site.ts";
import { Button } from "../ui/button.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import styles from "./payouts.module.css";

const explanations: Readonly<Record<string, string>> = {
  not_started: "Until an account is connected, what you have earned stays with the platform under your name.",
  pending: "The payment provider needs more information. We hold your earnings until you add it.",
  completed: "We send your earnings to this account.",
  restricted: "The payment provider has restricted this account. Open it to see what you need to do.",
};

type Props = Readonly<{
  status: string;
  /** Until when payouts wait after a change of the bank account (ISO); null: they do not. */
  frozenUntil: string | null;
  mayOpen: boolean;
}>;

export function PaymentAccount({ status, frozenUntil, mayOpen }: Props) {
  useReturn();
  const open = useOpenPaymentAccount();
  const [leaving, setLeaving] = useState(false);
  const leave = () =>
    attempt(async () => {
      const { url } = await open.mutateAsync({});
      setLeaving(true);
      leaveFor(url);
    });
  return (
    <SettingsSection title="Payment Account Setup" why="The account that payouts go to.">
      <p>
        <StatusBadge entity="connect" value={status} />
      </p>
      <p className="small quiet">{explanations[status] ?? null}</p>
      {frozenUntil ? (
        <p className="note gold" role="status">
          The bank account was changed. For your safety payouts wait until {momentText(frozenUntil)}.
        </p>
      ) : null}
      {mayOpen ? (
        <p className={styles.action}>
          <Button
            tone={status === "completed" ? "line" : "main"}
            busy={open.isPending || leaving}
            busyLabel="Opening..."
            onClick={() => void leave()}
          >
            {onboardingAction(status, "Stripe")}
          </Button>
        </p>
      ) : null}
    </SettingsSection>
  );
}

/** On coming back from the provider, its answer is asked for once: the webhook may be slower than the person. */
function useReturn(): void {
  const [search, setSearch] = useSearchParams();
  const { mutate } = useRefreshPaymentAccount();
  const returned = search.get("account") === "returned";
  useEffect(() => {
    if (!returned) return;
    mutate({});
    setSearch({}, { replace: true });
  }, [returned, mutate, setSearch]);
}
