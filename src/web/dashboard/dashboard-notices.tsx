import { useNetwork } from "@mantine/hooks";
import { useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { CurrentUser } from "../lib/api/current-user.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import styles from "./dashboard-notices.module.css";

type Props = Readonly<{
  me: Pick<CurrentUser, "role" | "shouldSetUpSecondFactor" | "adminRequestPending" | "retryRole">;
}>;

export function DashboardNotices({ me }: Props) {
  const { pathname } = useLocation();
  const needsFactor = me.shouldSetUpSecondFactor === true && pathname !== paths.account;
  const { online } = useNetwork();
  if (online && !needsFactor && !me.adminRequestPending && !me.retryRole) return null;
  return (
    <div className={styles.notes}>
      {online ? null : (
        <p className="note gold" role="status">
          <strong>You are offline.</strong> This page may be out of date. It updates when you are back online.
        </p>
      )}
      {me.retryRole ? (
        <div className={`note gold ${styles.notice}`} role="note">
          <p>
            <strong>Limited view.</strong> We could not load your role, so this is the promoter dashboard. Your account
            has not changed.
          </p>
          <Button size="sm" tone="line" onClick={me.retryRole}>
            Retry
          </Button>
        </div>
      ) : null}
      {needsFactor ? (
        <div className={`note gold ${styles.notice}`} role="note">
          <p>
            <strong>Your account has no second factor.</strong> Your account can open all bookings and accounts. Protect
            it with a second factor.
          </p>
          <LinkButton size="sm" to={`${paths.account}#second-factor`}>
            Set up two-factor sign-in
          </LinkButton>
        </div>
      ) : null}
      {me.adminRequestPending ? (
        <p className="note blue" role="note">
          You requested to be an admin. An admin will decide. Until then, your account has the {me.role} role.
        </p>
      ) : null}
    </div>
  );
}
