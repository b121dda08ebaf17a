/** The recovery codes, shown this once. */
import { Modal } from "@mantine/core";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";
import dialog from "../dashboard/dialog.module.css";
import styles from "./account.module.css";

/** Shows the codes until the person says that they are kept; nothing else closes the dialog. */
export function RecoveryCodes({ codes, onDone }: Readonly<{ codes: readonly string[] | undefined; onDone(): void }>) {
  const [kept, setKept] = useState(false);
  const text = (codes ?? []).join("\n");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied", text: "The recovery codes are in the clipboard." });
    } catch {
      toast({ tone: "error", title: "Error", text: "This browser did not allow copying. Please download the codes." });
    }
  };
  const done = () => {
    setKept(false);
    onDone();
  };
  return (
    <Modal
      opened={codes !== undefined}
      onClose={done}
      title="Keep your recovery codes"
      size="36rem"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className="small">
        If the phone is lost, each of these opens your account once. They are not shown again, and older ones are void.
      </p>
      <ul className={styles.codes}>
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <Button tone="line" size="sm" onClick={() => void copy()}>
          Copy
        </Button>
        <a
          className="btn line sm"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="stagedoor-recovery-codes.txt"
        >
          Download
        </a>
      </div>
      <label className={styles.tick}>
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />I have put them
        where I find them without this device.
      </label>
      <div className={dialog.actions}>
        <Button disabled={!kept} onClick={done}>
          Done
        </Button>
      </div>
    </Modal>
  );
}
