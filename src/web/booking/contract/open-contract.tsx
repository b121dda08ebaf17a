/** Opens the document of a contract in a new tab: for both parties, guests and admins. The server makes a link that lasts ten minutes. */
import { useOpenFile } from "../../lib/use-open-file.ts";
import { Button } from "../../ui/button.tsx";

type Props = Readonly<{
  id: string;
  label: string;
  size?: "sm" | undefined;
  /** The signed copy, else the agreement; or the paper that an admin attested, which is a download. */
  kind?: "copy" | "paper";
}>;

export function OpenContract({ id, label, size, kind = "copy" }: Props) {
  const { busy, open } = useOpenFile((api) => api.bookings.contract.documentLink({ id, kind }));
  return (
    <Button tone="line" size={size} busy={busy} busyLabel="Opening..." onClick={() => void open()}>
      {label}
      <span className="sr"> (opens in a new tab)</span>
    </Button>
  );
}
