/** Opens the document of a contract in a new tab: for both parties, guests and admins. The server makes a link that lasts ten minutes. */
import { useState } from "react";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { leaveFor } from "../lib/leave-site.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";

type Props = Readonly<{
  id: string;
  label: string;
  /** The signed copy, else the agreement; or the paper that an admin attested, which is a download. */
  kind?: "copy" | "paper";
}>;

export function OpenContract({ id, label, kind = "copy" }: Props) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    // Opened within the click, so that no blocker of pop-ups stops it.
    const tab = window.open("", "_blank");
    try {
      const { browserApi } = await import("../lib/api/browser-api.ts");
      const { url } = await browserApi.bookings.contract.documentLink({ id, kind });
      if (tab) tab.location.href = url;
      else leaveFor(url);
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
