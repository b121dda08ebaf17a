import { NativeSelect } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { useListAddress } from "./address.ts";

type Props = Readonly<{
  /** The labels of the `sort` values. The empty value is the list's default order. */
  orders: readonly Readonly<{ value: string; label: string }>[];
  className?: string | undefined;
}>;

export function SortChoice({ orders, className }: Props) {
  const [query] = useSearchParams();
  const address = useListAddress();
  const navigate = useNavigate();
  return (
    <NativeSelect
      className={className}
      aria-label="Order"
      value={query.get("sort") ?? ""}
      onChange={(event) =>
        void navigate(address({ sort: event.currentTarget.value }), { replace: true, preventScrollReset: true })
      }
      data={[...orders]}
    />
  );
}
