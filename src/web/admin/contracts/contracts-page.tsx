import { cancelCodes, cancelCodeText } from "#bookings/rules.ts";
import { contractStatuses } from "#contracts/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { contractSorts } from "#reports/lists/payments.rules.ts";
import { openMarkSigned } from "../../booking/actions/mark-signed-dialog.tsx";
import { providerLabels } from "../../booking/details/signature-labels.ts";
import { usePage, useSort } from "../../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { ActionsMenu, DialogItem, MenuLink, CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import { ExportButton, ListFilters, useListDays, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { type ListedContract, useContracts } from "../../lib/api/admin/lists.ts";
import { formatWeekdayDate, formatPlatformDate } from "../../lib/format/dates.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

export const meta = () => [{ title: "Contracts: Admin Panel" }];

const byStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: [
    { value: "to_sign", label: "Can be signed" },
    { value: "ended", label: "Ended" },
    ...Object.entries(contractStatuses).map(([value, { label }]) => ({ value, label })),
  ],
};

const providerLabel = ({ provider }: ListedContract): string => providerLabels[provider] ?? provider;
const eventDay = ({ booking }: ListedContract): string => formatWeekdayDate(booking.event_date);

const endReasonOf = (code: string | null): string =>
  cancelCodes.flatMap((known) => (known === code ? [cancelCodeText[known]] : []))[0] ?? code ?? "";

function signaturesOf({ signed_status: status, ended_at: ended, signed_sides: sides }: ListedContract) {
  if (status !== "sent" || ended) return undefined;
  return sides.length === 0 ? "no signature yet" : `${sides.join(" and ")} signed`;
}

function progressOf({
  signed_status: status,
  expires_at: expires,
  signed_at: signed,
  sent_at: sent,
  created_at: made,
  ended_at,
  end_code,
}: ListedContract): Readonly<{ first: string; second: string | undefined }> {
  return {
    first: formatPlatformDate(ended_at ?? signed ?? sent ?? made),
    second: ended_at
      ? endReasonOf(end_code)
      : status === "sent" && expires
        ? `until ${formatPlatformDate(expires)}`
        : undefined,
  };
}

const describeProgress = (contract: ListedContract): string => {
  const { first, second } = progressOf(contract);
  return [`since ${first}`, signaturesOf(contract), second].filter(Boolean).join(", ");
};

const columns: ListColumn<ListedContract>[] = [
  {
    title: "Artist",
    sort: "artist",
    cell: ({ id, artist, booking }) => (
      <RowLink to={paths.admin.contract(id)} name={artist.name} more={booking.number} artist={artist} />
    ),
  },
  { title: "Promoter", cell: ({ booking }) => booking.promoter_name, sort: "promoter", width: 9, from: 56 },
  { title: "Event", cell: eventDay, width: 9, sort: "event" },
  {
    title: "Status",
    cell: (contract) => <TwoLines first={<ContractBadges contract={contract} />} second={signaturesOf(contract)} />,
    width: 9,
    sort: "status",
  },
  { title: "Since", cell: (contract) => <TwoLines {...progressOf(contract)} />, width: 7.6 },
  { title: "Provider", cell: providerLabel, width: 7, from: 70, sort: "provider" },
  { title: "Next", cell: (contract) => <MarkSigned contract={contract} />, width: 7.5 },
];

const MarkSigned = ({ contract }: Readonly<{ contract: ListedContract }>) =>
  contract.can.mark_signed ? (
    <Button tone="line" size="sm" onClick={() => openMarkSignedOf(contract)}>
      Mark Signed
    </Button>
  ) : null;

const ContractBadges = ({ contract }: Readonly<{ contract: ListedContract }>) => (
  <>
    <StatusBadge entity="contract" value={contract.signed_status} />
    {contract.ended_at ? (
      <>
        {" "}
        <span className="badge">Ended</span>
      </>
    ) : null}
  </>
);

function openMarkSignedOf({ id, booking, artist }: ListedContract): void {
  openMarkSigned({ id, number: booking.number, artist: artist.name, promoter: booking.promoter_name });
}

const ContractMenu = ({ contract }: Readonly<{ contract: ListedContract }>) => (
  <ActionsMenu name={`${contract.artist.name}, ${contract.booking.number}`}>
    {contract.can.mark_signed ? <DialogItem onClick={() => openMarkSignedOf(contract)}>Mark Signed</DialogItem> : null}
    <MenuLink to={paths.admin.contract(contract.id)}>Open contract</MenuLink>
    <MenuLink to={paths.admin.booking(contract.booking.id)}>View booking</MenuLink>
  </ActionsMenu>
);

export default function AdminContractsPage() {
  const { search, chosen } = useListFilters(byStatus);
  const days = useListDays();
  const query = useContracts({ search, status: chosen, ...days, sort: useSort(contractSorts), page: usePage() });
  const filtered = [search, chosen, days.from, days.to].some(Boolean);
  return (
    <>
      <PageHead
        title="Contracts"
        actions={
          <>
            <LinkButton tone="line" size="sm" to={paths.admin.contractTemplates}>
              Templates
            </LinkButton>
            <ExportButton list="contracts" filters={{ search, status: chosen, ...days }} />
          </>
        }
      />
      <ListFilters placeholder="Search artist, promoter or number" filter={byStatus} days="Signed" />
      <PagedBody
        query={query}
        what="Contracts"
        empty={{
          title: "No contracts found",
          text: filtered
            ? "Try adjusting your search or filters"
            : "We send a contract within 24 hours of a paid deposit or an accepted request.",
        }}
      >
        {(contracts) => (
          <DataList
            caption="Contracts"
            ordered="newest first"
            label="Contracts"
            rows={contracts}
            columns={columns}
            choice={{ exported: "contracts" }}
            menu={(contract) => <ContractMenu contract={contract} />}
            card={(contract) => ({
              title: <CardLink to={paths.admin.contract(contract.id)}>{contract.artist.name}</CardLink>,
              number: contract.booking.number,
              lines: [
                `${eventDay(contract)}, ${contract.booking.promoter_name}`,
                contract.provider === "embedded" ? "" : providerLabel(contract),
              ].filter(Boolean),
              picture: contract.artist,
              action: <MarkSigned contract={contract} />,
              foot: (
                <>
                  <ContractBadges contract={contract} />{" "}
                  <span className="small quiet">{describeProgress(contract)}</span>
                </>
              ),
            })}
          />
        )}
      </PagedBody>
    </>
  );
}
