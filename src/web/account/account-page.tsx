/** /account: what belongs to the person and not to a role. */
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ListFailed } from "../dashboard/lists/list-states.tsx";
import listStyles from "../dashboard/lists/list.module.css";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import { authClient } from "../lib/auth/session.ts";
import type { Route } from "./+types/account-page.ts";
import styles from "./account.module.css";
import { ContactSection } from "./contact-section.tsx";
import { DeleteSection, ExportSection } from "./personal-data-section.tsx";
import { FactorSection } from "./two-factor-section.tsx";
import { FirstAdminSection } from "./first-admin-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Account | Stagedoor" }];

export default function AccountPage() {
  const account = useQuery({ queryKey: ["account"], queryFn: readAccount });
  const user = account.data;
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const readAgain = async () => void (await account.refetch());
  return (
    <>
      <div className={listStyles.head}>
        <h1>Account</h1>
        <p>Yours alone, whatever role you have here.</p>
      </div>
      {user ? (
        <div className={styles.sheet}>
          <ContactSection user={user} />
          <PasswordSection email={user.email ?? ""} has={user.app_metadata["has_password"] !== false} />
          <FactorSection
            factors={user.factors?.filter((one) => one.status === "verified") ?? []}
            asked={me?.shouldSetUpSecondFactor ?? false}
            onChange={readAgain}
          />
          <SessionsSection />
          <FirstAdminSection />
          <ExportSection />
          <DeleteSection />
        </div>
      ) : account.error && !account.isFetching ? (
        <ListFailed what="Your account" error={account.error} onRetry={() => void readAgain()} />
      ) : (
        <AccountLoading />
      )}
    </>
  );
}

/** The sections while the account is read, in their own shape. */
function AccountLoading() {
  return (
    <div className={styles.sheet} aria-label="Loading">
      <p className="sr" role="status">
        Loading your account
      </p>
      {[3, 1, 1].map((lines, at) => (
        <section key={at} aria-hidden>
          <div>
            <Skeleton height="1.5rem" width="60%" />
            <Skeleton height="0.8rem" width="90%" mt="0.7rem" />
          </div>
          <div className={styles.body}>
            {Array.from({ length: lines }, (_, line) => (
              <Skeleton key={line} height="2.75rem" />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

/** The account as the account service has it now. */
async function readAccount() {
  const { data, error } = await (await authClient()).getUser();
  if (error) throw error;
  return data.user;
}
