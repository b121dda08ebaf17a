import { NativeSelect } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useSetFilter } from "./address.ts";

type Props = Readonly<{
  /** The empty value is the list's default order. */
  orders: readonly Readonly<{ value: string; label: string }>[];
  className?: string | undefined;
}>;

export function SortChoice({ orders, className }: Props) {
  const [query] = useSearchParams();
  const set = useSetFilter();
  return (
    <NativeSelect
      className={className}
      aria-label="Order"
      value={query.get("sort") ?? ""}
      onChange={(event) => set("sort", event.currentTarget.value)}
      data={[...orders]}
    />
  );
}
