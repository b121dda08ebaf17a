import { downloadCsv, type ExportedList } from "../../lib/api/csv-export.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";

type Props = Readonly<{ list: ExportedList; filters: Readonly<Record<string, string>>; label?: string }>;

/** Exports the whole list, not only the displayed page. */
export function ExportButton({ list, filters, label = "Export" }: Props) {
  const run = async () => {
    try {
      await downloadCsv(list, filters);
    } catch (error) {
      const unreachable = "The server could not be reached. Please check your connection and try again.";
      // fetch throws a TypeError if there was no response.
      const text = error instanceof TypeError || !(error instanceof Error) ? unreachable : error.message;
      toast({ tone: "error", title: "Error", text });
    }
  };
  return (
    <Button tone="line" size="sm" busyLabel="Exporting..." onClick={run}>
      {label}
    </Button>
  );
}
