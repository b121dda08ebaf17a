import { getDefaultZIndex, Modal } from "@mantine/core";
import { modals } from "@mantine/modals";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "./dialog.module.css";

const textField = "textarea, input:not([type=checkbox], [type=radio], [type=file])";

/** The content of a dialog. As soon as text is typed, a click outside closes nothing, and Escape opens a confirmation. */
export function TypedTextGuard({ dialogId, children }: Readonly<{ dialogId: string; children: ReactNode }>) {
  const content = useRef<HTMLDivElement>(null);
  const [hasText, setHasText] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (hasText) modals.updateModal({ modalId: dialogId, closeOnEscape: false, closeOnClickOutside: false });
  }, [dialogId, hasText]);
  useEffect(() => {
    if (!hasText || isAsking) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing) return;
      // An open calendar or menu closes itself.
      if (content.current?.querySelector('[aria-expanded="true"]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setAsking(true);
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [hasText, isAsking]);
  const onChange = ({ target }: ChangeEvent<HTMLElement>) => {
    if (target.matches(textField)) setHasText(true);
  };
  return (
    <div ref={content} role="presentation" onChange={onChange}>
      {children}
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Discard what you typed?"
        zIndex={getDefaultZIndex("modal") + 2}
      >
        <div className={styles.actions}>
          <Button tone="line" data-autofocus onClick={() => setAsking(false)}>
            Keep editing
          </Button>
          <Button tone="danger" onClick={() => modals.close(dialogId)}>
            Discard
          </Button>
        </div>
      </Modal>
    </div>
  );
}
