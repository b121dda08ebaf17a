import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { onboardingAction } from "#payouts/accounts.rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { withReauthentication } from "../../dashboard/dialogs/reauthentication-dialog.tsx";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { useOpenPaymentAccount, type usePayouts, useRefreshPaymentAccount } from "../../lib/api/own-payments.ts";
import { attempt } from "../../lib/attempt.ts";
import { goToAddress } from "../../lib/browser/leave-site.ts";
import { useBusy } from "../../lib/browser/use-busy.ts";
import { formatPlatformDate, formatRelativeMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./payouts.module.css";

const explanations: Readonly<Record<string, string>> = {
  not_started: "Until an account is connected, the platform holds your earnings for you.",
  pending: "The payment provider needs more information. We hold your earnings until you add it.",
  completed: "We send your earnings to this account.",
  restricted: "The payment provider has restricted this account. Open it to see what you need to do.",
};

const endings = {
  gone: "Your last account no longer exists at the payment provider.",
  rejected: "The payment provider rejected your last account.",
};

type Account = Pick<
  NonNullable<ReturnType<typeof usePayouts>["payouts"]>,
  "onboarding_status" | "frozen_until" | "bank_return" | "ended" | "has_profile" | "can_connect"
>;

/** Returns true if payouts require an action of the artist, were returned, or are frozen after a change of the bank account. */
export const needsArtistAction = ({
  onboarding_status: status,
  frozen_until: until,
  bank_return: returned,
  can_connect: mayOpen,
  has_profile: hasProfile,
}: Account): boolean => until !== null || returned !== null || (status !== "completed" && (mayOpen || !hasProfile));

type Props = Readonly<{
  account: Account;
  isNotice?: boolean;
}>;

export function PaymentAccount({ account, isNotice = false }: Props) {
  useReturn();
  const { onboarding_status: status, frozen_until: until, bank_return: returned, ended } = account;
  const badge = <StatusBadge entity="connect" value={status} />;
  const text = (
    <>
      <p className="small">
        {ended ? `${endings[ended]} ` : ""}
        {explanations[status] ?? null}
      </p>
      {account.has_profile ? null : (
        <p className="small">
          To connect an account, save <Link to={paths.artistArea.profile}>your profile</Link> first.
        </p>
      )}
      {returned ? (
        <p className="small" role="status">
          Your bank returned {returned.amount === null ? "money" : formatMoneyExact(returned.amount, returned.currency)}{" "}
          on {formatPlatformDate(returned.at)}.{returned.reason ? ` The reason: “${returned.reason}”.` : ""} The money
          is in your payment account. Open the account and correct the bank account. The payment provider then sends the
          money again.
        </p>
      ) : null}
      {until ? (
        <p className="small" role="status">
          The bank account was changed. For your security, payouts wait until {formatRelativeMoment(until)}.
        </p>
      ) : null}
    </>
  );
  const button = account.can_connect ? <OpenAccount status={status} /> : null;
  if (isNotice)
    return (
      <section className={`note gold ${styles.account}`} aria-labelledby="payment-account">
        <div>
          <h2 id="payment-account">Payment Account Setup</h2> {badge}
          {text}
        </div>
        {button}
      </section>
    );
  return (
    <SettingsSection title="Payment Account Setup" why="The account that payouts go to.">
      <p>{badge}</p>
      {text}
      {button ? <p className={styles.action}>{button}</p> : null}
    </SettingsSection>
  );
}

function OpenAccount({ status }: Readonly<{ status: string }>) {
  const open = useOpenPaymentAccount();
  const [leaving, setLeaving] = useBusy(false);
  const leave = () =>
    attempt(() =>
      withReauthentication(async () => {
        const { url } = await open.mutateAsync({});
        setLeaving(true);
        goToAddress(url);
      }),
    );
  return (
    <Button
      tone={status === "completed" ? "line" : "main"}
      busy={open.isPending || leaving}
      busyLabel="Opening..."
      onClick={() => void leave()}
    >
      {onboardingAction(status, "Stripe")}
    </Button>
  );
}

/** Fetches the account once when the artist returns from the provider, because the webhook may arrive later. */
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
