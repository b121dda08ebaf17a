import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { orpc } from "../../lib/api/query.ts";
import { copyNumber } from "../../lib/browser/copy-text.ts";
import type { PaletteItem } from "./palette-items.ts";

const idInPath = /\/bookings\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function useBookingActions(role: Role): readonly PaletteItem[] {
  const id = idInPath.exec(useLocation().pathname)?.[1] ?? "";
  const { data: booking } = useQuery(orpc.bookings.read.queryOptions({ input: { id }, enabled: id !== "" }));
  if (!booking) return [];
  const { can, number } = booking;
  const detail = `${role === "artist" ? booking.promoter_name : booking.artist.name}, ${number}`;
  return [
    ...(can.pay
      ? [
          {
            id: "here-pay",
            label: can.pay === "deposit" ? "Pay Deposit" : "Pay Balance",
            detail,
            to: paths.pay(id, can.pay),
          },
        ]
      : []),
    ...(can.sign ? [{ id: "here-sign", label: "Sign Contract", detail, to: paths.sign(id) }] : []),
    { id: "here-copy", label: `Copy ${number}`, detail, run: () => void copyNumber(number) },
  ];
}
