import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";

/** Seconds between two messages. The server allows five per hour. */
const waitSeconds = 60;

export function SendAgain({ onSend }: Readonly<{ onSend(): Promise<boolean> }>) {
  const [sentAt, setSentAt] = useState(() => performance.now());
  const [left, setLeft] = useState(waitSeconds);
  useEffect(() => {
    const update = () => setLeft(Math.max(0, Math.ceil(waitSeconds - (performance.now() - sentAt) / 1000)));
    update();
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  }, [sentAt]);
  const send = async () => {
    if (await onSend()) setSentAt(performance.now());
  };
  return (
    <Button tone="line" size="sm" disabled={left > 0} busyLabel="Sending..." onClick={send}>
      {left > 0 ? `Send it again in ${left} s` : "Send it again"}
    </Button>
  );
}
