import { documentNames } from "#invoicing/rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { useOpenFile } from "../../lib/use-open-file.ts";
import { Button } from "../../ui/button.tsx";

export type BookingDocument = Awaited<ReturnType<typeof browserApi.documents.ofBooking>>["items"][number];

export function OpenDocument({ document, label }: Readonly<{ document: BookingDocument; label?: string }>) {
  const { busy, open } = useOpenFile((api) => api.documents.link({ id: document.id }));
  const name = documentNames[document.kind];
  return (
    <Button tone="line" size="sm" busy={busy} busyLabel="Opening..." onClick={() => void open()}>
      {label ?? name}{" "}
      <span className="sr">
        {label ? `${name} ` : ""}
        {document.number} (opens in a new tab)
      </span>
    </Button>
  );
}
