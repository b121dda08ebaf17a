/** Opens a contract document in a new tab, for parties, guests and admins. The server's link is valid for ten minutes. */

import { openFile } from "../../lib/open-file.ts";
import { Button } from "../../ui/button.tsx";

type Props = Readonly<{
  id: string;
  label: string;
  /** The signed copy, else the agreement. "paper" is the document that an admin attested, as a download. */
  kind?: "copy" | "paper";
}>;

export function OpenContract({ id, label, kind = "copy" }: Props) {
  const open = () => openFile((api) => api.bookings.contract.documentLink({ id, kind }));
  return (
    <Button tone="line" size="sm" busyLabel="Opening..." onClick={open}>
      {label}
      <span className="sr"> (opens in a new tab)</span>
    </Button>
  );
}
