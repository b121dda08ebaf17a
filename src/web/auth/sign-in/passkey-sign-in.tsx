import { Button } from "../../ui/button.tsx";
import styles from "../auth.module.css";

type Props = Readonly<{ disabled: boolean; onSignIn(): Promise<void> }>;

/** Signs in without a name: the browser offers the passkeys that it has for this site. */
export function PasskeySignIn({ disabled, onSignIn }: Props) {
  return (
    <div className={styles.after}>
      <Button tone="line" size="big" wide disabled={disabled} onClick={() => void onSignIn()}>
        Use a passkey
      </Button>
    </div>
  );
}
