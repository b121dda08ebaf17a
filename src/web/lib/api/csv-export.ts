import { accessToken } from "../auth/session.ts";
import { saveFile } from "../browser/save-file.ts";
import { responseError } from "../response-error.ts";

const addresses = {
  bookings: "/api/admin/bookings.csv",
  payments: "/api/admin/payments.csv",
  documents: "/api/admin/documents.csv",
  ledger: "/api/admin/ledger.csv",
  logs: "/api/admin/logs.csv",
  contracts: "/api/admin/contracts.csv",
  contractTemplates: "/api/admin/contract-templates.csv",
  users: "/api/admin/users.csv",
  artists: "/api/admin/artists.csv",
  holds: "/api/admin/holds.csv",
  artistBookings: "/api/artist/bookings.csv",
  artistDocuments: "/api/artist/documents.csv",
  promoterBookings: "/api/promoter/bookings.csv",
  promoterPayments: "/api/promoter/payments.csv",
  promoterDocuments: "/api/promoter/documents.csv",
  payouts: "/api/artist/payouts.csv",
} as const;
export type ExportedList = keyof typeof addresses;

/** Saves the rows of a list that match its filters, or only those with `ids`. */
export async function downloadCsv(
  list: ExportedList,
  filters: Readonly<Record<string, string>>,
  ids?: readonly string[],
): Promise<void> {
  const token = await accessToken();
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const response = await fetch(`${addresses[list]}?${query}`, {
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(ids && { "content-type": "application/json" }) },
    ...(ids && { method: "POST", body: JSON.stringify({ ids }) }),
  });
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => undefined);
    throw responseError("The file could not be created. Please try again.", response.status, body);
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? `${list}.csv`;
  saveFile(new File([await response.blob()], name));
}
