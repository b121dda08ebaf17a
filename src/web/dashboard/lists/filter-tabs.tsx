import { PageTabs } from "../page-tabs.tsx";
import { useListAddress } from "./address.ts";

type FilterTab = Readonly<{ value: string; label: string; count?: number | undefined }>;

type Props = Readonly<{ label: string; name: string; chosen: string; tabs: readonly FilterTab[] }>;

export function FilterTabs({ label, name, chosen, tabs }: Props) {
  const address = useListAddress();
  return (
    <PageTabs
      label={label}
      current={chosen}
      tabs={tabs.map(({ value, label: text, count }) => ({
        name: value,
        label: text,
        to: address({ [name]: value }),
        count,
      }))}
    />
  );
}
