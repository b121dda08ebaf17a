import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";

/** Seconds between two messages; the server allows five an hour. */
export const waitSeconds = 60;

type Props = Readonly<{
  label?: string;
  onSend(): Promise<boolean>;
}>;

/** A message was sent a moment ago. The button opens when the wait is over, and starts it again. */
export function SendAgain({ label = "Send it again", onSend }: Props) {
  const [sentAt, setSentAt] = useState(() => performance.now());
  const [left, setLeft] = useState(waitSeconds);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil(waitSeconds - (performance.now() - sentAt) / 1000)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [sentAt]);
  const send = async () => {
    setBusy(true);
    if (await onSend()) setSentAt(performance.now());
    setBusy(false);
  };
  return (
    <Button tone="line" size="sm" disabled={left > 0} busy={busy} busyLabel="Sending..." onClick={() => void send()}>
      {left > 0 ? `${label} in ${left} s` : label}
    </Button>
  );
}
