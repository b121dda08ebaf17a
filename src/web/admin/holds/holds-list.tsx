import { holdSorts } from "#calendar/holds/list.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { usePage, useSort } from "../../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import {
  ActionsMenu,
  DestructiveItem,
  MenuLink,
  CardLink,
  RowLink,
  TwoLines,
} from "../../dashboard/lists/list-cells.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import { formatWeekdayDate, formatMoment } from "../../lib/format/dates.ts";
import { type ListedHold, useAllHolds, useReleaseAnyHold } from "./use-holds.ts";

const states: Readonly<Record<ListedHold["state"], string>> = {
  active: "On hold",
  booked: "Booked",
  released: "Released",
  expired: "Expired",
  lost: "Lost",
  superseded: "Ended by another booking",
};

const stateOf = ({ state, must_pay }: ListedHold) => (state === "active" && must_pay ? "Must pay" : states[state]);
const nightOf = ({ night }: ListedHold) => formatWeekdayDate(night);
const rankOf = ({ rank }: ListedHold) => (rank === null ? "" : `Hold ${rank}`);
const endOf = ({ state, ends_at }: ListedHold) => `${state === "active" ? "until" : "since"} ${formatMoment(ends_at)}`;
const pageOf = ({ booking_id, artist }: ListedHold) =>
  booking_id ? paths.admin.booking(booking_id) : paths.admin.artist(artist.id);

const columns: ListColumn<ListedHold>[] = [
  {
    title: "Artist",
    sort: "artist",
    cell: (hold) => <RowLink to={pageOf(hold)} name={hold.artist.name} artist={hold.artist} />,
  },
  {
    title: "Promoter",
    sort: "promoter",
    cell: (hold) => <TwoLines first={hold.promoter_name} second={hold.has_account ? "" : "No account"} />,
  },
  {
    title: "Night",
    cell: (hold) => <TwoLines first={nightOf(hold)} second={rankOf(hold)} />,
    width: 10.5,
    sort: "night",
  },
  { title: "State", cell: (hold) => <TwoLines first={stateOf(hold)} second={endOf(hold)} />, width: 13, sort: "state" },
];

export function HoldsList() {
  const query = useAllHolds({ sort: useSort(holdSorts), page: usePage() });
  const release = useReleaseAnyHold();
  const openRelease = (hold: ListedHold) => {
    const { artist, promoter_name: promoter, has_account: hasAccount } = hold;
    openTextDialog({
      title: `Release the hold of ${promoter}?`,
      text: `${artist.name}, ${nightOf(hold)}: the next hold moves up, or the night is free. We send the reason to ${hasAccount ? `${promoter} and to ` : ""}${artist.name}.`,
      label: "Reason",
      confirm: "Release hold",
      tone: "danger",
      send: (reason) => release.mutateAsync({ id: hold.hold_id, night: hold.night, reason }),
      done: { title: "Released", text: `${artist.name}, ${nightOf(hold)}` },
    });
  };
  return (
    <PagedBody
      query={query}
      what="Holds"
      empty={{ title: "No holds", text: "Nights that promoters or artists put on hold appear here." }}
    >
      {(holds) => (
        <DataList
          caption="Holds"
          ordered="open holds first"
          label="Holds"
          rows={holds}
          columns={columns}
          menu={(hold) => (
            <ActionsMenu name={`${hold.artist.name}, ${nightOf(hold)}, ${hold.promoter_name}`}>
              <MenuLink to={pageOf(hold)}>{hold.booking_id ? "View booking" : "View artist"}</MenuLink>
              {hold.can.release ? <DestructiveItem label="Release hold" onClick={() => openRelease(hold)} /> : null}
            </ActionsMenu>
          )}
          card={(hold) => ({
            title: <CardLink to={pageOf(hold)}>{hold.artist.name}</CardLink>,
            lines: [hold.promoter_name, [nightOf(hold), rankOf(hold)].filter(Boolean).join(", ")],
            picture: hold.artist,
            foot: `${stateOf(hold)} ${endOf(hold)}`,
          })}
        />
      )}
    </PagedBody>
  );
}
