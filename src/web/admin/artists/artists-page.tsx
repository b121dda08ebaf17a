import { adminArtistSorts } from "#artists/admin/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { usePage, useSort } from "../../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import { ExportButton, ListFilters, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { type AdminArtist, useAdminArtists } from "../../lib/api/admin/artists.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ActiveSwitch, ArtistMenu } from "./artist-switches.tsx";
import styles from "./artists.module.css";

export const meta = () => [{ title: "Artists: Admin Panel" }];

const byActive = {
  name: "active",
  label: "State",
  all: "Active and inactive",
  choices: [
    { value: "active", label: "Active" },
    { value: "inactive", label: "Inactive" },
  ],
};

const priceOf = ({ base_rate: rate, currency, price_confirmed }: AdminArtist): string =>
  rate === 0 ? "On request" : price_confirmed ? formatMoney(rate, currency) : "To be confirmed";
const describeOwner = ({ owner, name }: AdminArtist): string => {
  if (!owner) return "";
  const account = owner.name || owner.email;
  return account === name ? "has an account" : `account: ${account}`;
};
const Genre = ({ genre }: AdminArtist) => <span className={styles.genre}>{genre}</span>;
const bookedText = ({ booked_count: count }: AdminArtist): string => (count === 1 ? "1 show" : `${count} shows`);

const sharedName = ({ shares_name }: AdminArtist): string => (shares_name ? "Another act has this name" : "");

const columns: ListColumn<AdminArtist>[] = [
  {
    title: "Artist",
    sort: "name",
    cell: (artist) => (
      <RowLink
        to={paths.admin.artist(artist.id)}
        name={artist.name}
        more={[artist.location || "no location", artist.is_featured ? "Featured" : "", sharedName(artist)]
          .filter(Boolean)
          .join(", ")}
        artist={artist}
      />
    ),
  },
  {
    title: "Genre and account",
    sort: "genre",
    cell: (artist) => <TwoLines first={<Genre {...artist} />} second={describeOwner(artist)} />,
  },
  { title: "State", cell: (artist) => <ActiveSwitch artist={artist} />, width: 10.5, sort: "active" },
  {
    title: "Base rate",
    cell: (artist) => <TwoLines first={priceOf(artist)} second={bookedText(artist)} />,
    width: 9,
    amount: true,
    sort: "rate",
  },
];

export default function AdminArtistsPage() {
  const { search, chosen } = useListFilters(byActive);
  const query = useAdminArtists({ search, active: chosen, sort: useSort(adminArtistSorts), page: usePage() });
  return (
    <>
      <PageHead
        title="Artists"
        actions={
          <>
            <LinkButton size="sm" to={paths.admin.artist("new")}>
              New artist
            </LinkButton>
            <ExportButton list="artists" filters={{ search, active: chosen ?? "" }} />
          </>
        }
      />
      <ListFilters placeholder="Search by name or genre" filter={byActive} />
      <PagedBody
        query={query}
        what="Artists"
        empty={{
          title: "No artists found matching your search.",
          ...(search || chosen
            ? {}
            : { text: "No artists yet. Create the first one, or wait for an artist to sign up." }),
        }}
      >
        {(artists) => (
          <DataList
            caption="Artists"
            ordered="newest first"
            label="Artists"
            rows={artists}
            columns={columns}
            choice={{ exported: "artists" }}
            menu={(artist) => <ArtistMenu artist={artist} />}
            card={(artist) => ({
              title: <CardLink to={paths.admin.artist(artist.id)}>{artist.name}</CardLink>,
              lines: [
                <>
                  <Genre {...artist} />, {artist.location || "no location"}
                </>,
                [bookedText(artist), describeOwner(artist), artist.is_featured ? "Featured" : "", sharedName(artist)]
                  .filter(Boolean)
                  .join(", "),
              ],
              picture: artist,
              foot: <ActiveSwitch artist={artist} />,
              amount: priceOf(artist),
            })}
          />
        )}
      </PagedBody>
    </>
  );
}
