import { downloadCsv, type ExportedList } from "../../lib/api/csv-export.ts";
import { attempt } from "../../lib/attempt.ts";
import { Button } from "../../ui/button.tsx";

type Props = Readonly<{ list: ExportedList; filters: Readonly<Record<string, string>>; label?: string }>;

export const ExportButton = ({ list, filters, label = "Export" }: Props) => (
  <Button tone="line" size="sm" busyLabel="Exporting..." onClick={() => attempt(() => downloadCsv(list, filters))}>
    {label}
  </Button>
);
