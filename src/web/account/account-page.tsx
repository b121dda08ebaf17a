import { useQuery } from "@tanstack/react-query";
import { ListFailed } from "../dashboard/lists/list-states.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import { SettingsLoading, SettingsSheet } from "../dashboard/settings/settings-sheet.tsx";
import { useCurrentUser } from "../lib/api/current-user.ts";
import { authClient } from "../lib/auth/session.ts";
import { ContactSection } from "./contact-section.tsx";
import { FirstAdminSection } from "./first-admin-section.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { DeleteSection, ExportSection } from "./personal-data-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { FactorSection } from "./two-factor-section.tsx";
import settingsStyles from "../dashboard/settings/settings.module.css";

export const meta = () => [{ title: "Account | Stagedoor" }];

export default function AccountPage() {
  const account = useQuery({ queryKey: ["account"], queryFn: readAccount });
  const user = account.data;
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const factors = user?.factors?.filter((one) => one.status === "verified") ?? [];
  const passkeys = factors.filter((one) => one.factor_type === "webauthn");
  const apps = factors.filter((one) => one.factor_type !== "webauthn");
  const readAgain = async () => void (await account.refetch());
  return (
    <div className={settingsStyles.page}>
      <PageHead title="Account">
        <p>Your personal account settings, independent of your role.</p>
      </PageHead>
      {user ? (
        <SettingsSheet>
          <ContactSection user={user} />
          <PasswordSection email={user.email ?? ""} has={user.app_metadata["has_password"] !== false} />
          <PasskeySection passkeys={passkeys} hasApps={apps.length > 0} onChange={readAgain} />
          <FactorSection
            factors={apps}
            hasPasskeys={passkeys.length > 0}
            isRequired={me?.shouldSetUpSecondFactor ?? false}
            onChange={readAgain}
          />
          <SessionsSection />
          <FirstAdminSection />
          <ExportSection />
          <DeleteSection />
        </SettingsSheet>
      ) : account.error && !account.isFetching ? (
        <ListFailed what="Your account" query={account} />
      ) : (
        <SettingsLoading what="your account" fields={[3, 1, 1]} />
      )}
    </div>
  );
}

async function readAccount() {
  const { data, error } = await (await authClient()).getUser();
  if (error) throw error;
  return data.user;
}
