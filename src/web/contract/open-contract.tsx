/** Opens the document of a contract in a new tab: for both parties, guests and admins. The server makes a link that lasts ten minutes. */
import { useState } from "react";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";

export function OpenContract({ id, label }: Readonly<{ id: string; label: string }>) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    // Opened within the click, so that no blocker of pop-ups stops it.
    const tab = window.open("", "_blank");
    try {
      const { browserApi } = await import("../lib/api/browser-api.ts");
      const { url } = await browserApi.bookings.contract.documentLink({ id });
      if (tab) tab.location.href = url;
      else window.location.assign(url);
    } catch (error) {
      tab?.close();
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
    setBusy(false);
  };
  return (
    <Button tone="line" size="sm" busy={busy} busyLabel="Opening..." onClick={() => void open()}>
      {label}
      <span className="sr"> (opens in a new tab)</span>
    </Button>
  );
}
