/** Ending sessions on other devices, or everywhere. */
import { useNavigate } from "react-router";
import { authClient } from "../../lib/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAct } from "./use-act.ts";

/** Signs out the other devices, or all of them. */
export function SessionsSection() {
  const others = useAct();
  const all = useAct();
  const navigate = useNavigate();
  const leaveAll = async () => {
    const refused = await all.act(async () => (await authClient()).signOut({ scope: "global" }));
    if (!refused) await navigate(paths.home);
  };
  const leaveOthers = () =>
    others.act(async () => (await authClient()).signOut({ scope: "others" }), "Every other device is signed out.");
  return (
    <Section
      title="Active sessions"
      why="Lost a device, or saw something you do not know? Sign out everywhere and change the password."
    >
      <div className={styles.row}>
        <Button tone="line" busy={others.busy} busyLabel="Signing out..." onClick={() => void leaveOthers()}>
          Sign out other devices
        </Button>
        <Button tone="bad" busy={all.busy} busyLabel="Signing out..." onClick={() => void leaveAll()}>
          Sign out everywhere
        </Button>
      </div>
    </Section>
  );
}
