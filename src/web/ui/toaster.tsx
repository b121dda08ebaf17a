import { useEffect } from "react";
import { closeToast, type Toast, toastMs, useToasts } from "../lib/toasts.ts";
import styles from "./toaster.module.css";

export function Toaster() {
  const toasts = useToasts();
  return (
    <section className={styles.stack} aria-label="Notifications" aria-live="polite">
      {toasts.map((one) => (
        <ToastMessage key={one.id} toast={one} />
      ))}
    </section>
  );
}

function ToastMessage({ toast }: { toast: Toast }) {
  const { id, tone, title, text, action } = toast;
  useEffect(() => {
    const timer = setTimeout(() => closeToast(id), toastMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={styles.toast} data-tone={tone} role={tone === "error" ? "alert" : "status"}>
      <div>
        <strong>{title}</strong>
        {text ? <span> {text}</span> : null}
        {action ? (
          <button
            className="btn line sm"
            type="button"
            onClick={() => {
              closeToast(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        ) : null}
      </div>
      <button className={styles.close} type="button" aria-label="Close" onClick={() => closeToast(id)}>
        <svg viewBox="0 0 20 20" width="20" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden>
          <path d="M5 5l10 10M15 5L5 15" />
        </svg>
      </button>
    </div>
  );
}
