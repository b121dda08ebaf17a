import { Modal } from "@mantine/core";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { paths, searchedList } from "#platform/site-paths.rules.ts";
import { roles, userSorts } from "#users/rules.ts";
import { useDialogAddress, usePage, useSort } from "../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../dashboard/lists/data-list.tsx";
import { CardLink, RowLink, TwoLines } from "../dashboard/lists/list-cells.tsx";
import { ExportButton, FilterTabs, ListFilters, useListFilters } from "../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../dashboard/lists/paged-body.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import { useCurrentUser } from "../lib/api/current-user.ts";
import { useAdminRequests, type UserListItem, useUsers } from "../lib/api/users.ts";
import { formatPlatformDate } from "../lib/format/dates.ts";
import { LinkButton } from "../ui/button.tsx";
import { DetailRow } from "../ui/detail-row.tsx";
import { RoleSelect, UserMenu } from "./user-actions.tsx";
import { ProfileClaims, AdminRequests } from "./user-requests.tsx";
import styles from "../dashboard/lists/list.module.css";
import details from "./payments/payments.module.css";

export const meta = () => [{ title: "User Management: Admin Panel" }];

const byRole = {
  name: "role",
  label: "Role",
  all: "All Roles",
  choices: [
    { value: "admin", label: "Admin" },
    { value: "artist", label: "Artist" },
    { value: "promoter", label: "Promoter" },
  ],
};

const savedFilterTabs = [
  { value: "", label: "All" },
  { value: "suspended", label: "Access withdrawn" },
];

export default function UsersPage() {
  const { search, chosen } = useListFilters(byRole);
  const [address] = useSearchParams();
  const show = address.get("show") === "suspended" ? "suspended" : undefined;
  const filters = { search, role: roles.find((one) => one === chosen), show } as const;
  const query = useUsers({ ...filters, sort: useSort(userSorts), page: usePage() });
  const dialogAddress = useDialogAddress();
  const navigate = useNavigate();
  const addressOf = (user: string) => dialogAddress({ user });
  const me = useCurrentUser();
  const ownId = me.phase === "known" ? me.me.id : undefined;
  const failed = query.error !== null && !query.isFetching;
  const requested = (useAdminRequests().data?.items.length ?? 0) > 0;
  const filtered = search !== "" || chosen !== "" || show !== undefined;
  const empty = { title: "No users found", ...(filtered ? { text: "Try adjusting your search or filters" } : {}) };
  return (
    <>
      <PageHead
        title="User Management"
        actions={<ExportButton list="users" filters={{ search, role: chosen, show: show ?? "" }} />}
      />
      {failed ? null : (
        <>
          <AdminRequests />
          <ProfileClaims primary={!requested} />
        </>
      )}
      <FilterTabs label="Saved filters" name="show" chosen={show ?? ""} tabs={savedFilterTabs} />
      <ListFilters placeholder="Search by name or email..." filter={byRole} />
      <PagedBody query={query} what="Users" empty={empty}>
        {(users) => (
          <DataList
            caption="Users"
            ordered="newest first"
            standardSort="-joined"
            label="Users"
            rows={users.map((user): Row => ({ ...user, id: user.userId }))}
            columns={columnsWith(addressOf)}
            choice={{ exported: "users" }}
            menu={(user) => <UserMenu user={user} ownId={ownId} />}
            card={(user) => ({
              title: <CardLink to={addressOf(user.userId)}>{nameOf(user)}</CardLink>,
              lines: [user.email, `Joined ${formatPlatformDate(user.createdAt)}, ${shortId(user)}`],
              foot: (
                <>
                  <RoleAndState user={user} />{" "}
                  <span className="small quiet">
                    <TwoFactor user={user} />
                  </span>
                </>
              ),
              action: <RoleSelect user={user} />,
            })}
          />
        )}
      </PagedBody>
      <UserDialog
        user={query.data?.items.find(({ userId }) => userId === address.get("user"))}
        onClose={() => void navigate(addressOf(""), { preventScrollReset: true })}
      />
    </>
  );
}

const nameOf = (user: UserListItem): string => user.name || "No name";
const shortId = (user: UserListItem): string => user.userId.slice(0, 8);
const formatSeen = ({ lastSeenAt: seen }: UserListItem) =>
  seen ? formatPlatformDate(seen) : <span className="quiet">–</span>;

function RoleAndState({ user }: Readonly<{ user: UserListItem }>) {
  return (
    <>
      <span className={`badge ${styles.plain}`}>{user.role ? user.role.toUpperCase() : "NO ROLE"}</span>{" "}
      {user.suspended ? (
        <span className="badge cherry" title={user.suspendedReason ?? undefined}>
          Suspended
        </span>
      ) : null}
    </>
  );
}

const TwoFactor = ({ user: { hasSecondFactor: isOn } }: Readonly<{ user: UserListItem }>) => (
  <span className={isOn ? styles.on : undefined}>
    {isOn ? <ShieldCheck size={14} aria-hidden /> : null}
    Two-factor {isOn ? "on" : "off"}
  </span>
);

type Row = UserListItem & Readonly<{ id: string }>;

const columnsWith = (addressOf: (userId: string) => string): ListColumn<Row>[] => [
  {
    title: "Name",
    sort: "name",
    cell: (user) => <RowLink to={addressOf(user.userId)} name={nameOf(user)} more={user.email} />,
  },
  {
    title: "Role",
    sort: "role",
    cell: (user) => (
      <>
        <RoleAndState user={user} />
        <small title={user.suspendedReason ?? undefined}>
          <TwoFactor user={user} />
          {user.suspendedReason ? `, ${user.suspendedReason}` : null}
        </small>
      </>
    ),
    width: 12.5,
  },
  {
    title: "Joined",
    cell: (user) => <TwoLines first={`Joined ${formatPlatformDate(user.createdAt)}`} second={shortId(user)} />,
    width: 10.5,
    sort: "joined",
  },
  { title: "Last seen", cell: formatSeen, width: 7.25, sort: "seen", from: 56 },
  { title: "Change role", cell: (user) => <RoleSelect user={user} />, width: 8.75 },
];

function UserDialog({ user: opened, onClose }: Readonly<{ user: UserListItem | undefined; onClose(): void }>) {
  // The details stay while the dialog fades out.
  const [user, setUser] = useState(opened);
  if (opened && opened !== user) setUser(opened);
  return (
    <Modal opened={opened !== undefined} onClose={onClose} title={user?.name || "No name"} size="36rem">
      {user ? (
        <>
          <dl className={details.details}>
            {detailsOf(user).map(([name, value]) => (
              <DetailRow key={name} label={name}>
                {value}
              </DetailRow>
            ))}
          </dl>
          <p className={details.part}>
            <LinkButton tone="line" size="sm" to={searchedList(paths.admin.bookings, user.name || user.email)}>
              View bookings
            </LinkButton>
          </p>
        </>
      ) : null}
    </Modal>
  );
}

const detailsOf = (user: UserListItem): [name: string, value: string][] => [
  ["Email", `${user.email}${user.emailVerified ? "" : ", not confirmed"}`],
  ["Role", user.role],
  ["Joined", formatPlatformDate(user.createdAt)],
  ["Last seen", user.lastSeenAt ? formatPlatformDate(user.lastSeenAt) : "Never"],
  ["Two-factor sign-in", user.hasSecondFactor ? "On" : "Off"],
  ["Suspended", user.suspended ? (user.suspendedReason ?? "Yes") : "No"],
  ["Id", user.userId],
];
