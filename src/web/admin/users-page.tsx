/** /admin/users: all accounts with their roles. */
import { NativeSelect } from "@mantine/core";
import { type Role, roles } from "#users/rules.ts";
import { ListFilters, useListFilters } from "../dashboard/lists/list-filters.tsx";
import { ListBody } from "../dashboard/lists/list-states.tsx";
import styles from "../dashboard/lists/list.module.css";
import { formatShortDate, localMoment } from "../lib/format/dates.ts";
import { useCurrentUser } from "../lib/api/current-user.ts";
import { type UserListItem, useAdminRequests, useUsers } from "../lib/api/users.ts";
import type { Route } from "./+types/users-page.ts";
import { AdminRequests } from "./admin-requests.tsx";
import { ProfileClaimsSection } from "./profile-claims-section.tsx";
import { UserActions, SuspendedState } from "./user-actions.tsx";
import { openRoleDialog } from "./role-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "User Management: Admin Panel" }];

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

export default function UsersPage() {
  const { search, chosen } = useListFilters(byRole);
  const { query, users } = useUsers({ search, role: roles.find((one) => one === chosen) });
  const me = useCurrentUser();
  const ownId = me.phase === "known" ? me.me.id : undefined;
  // A server that does not answer is reported once, by the list.
  const failed = query.error !== null && !query.isFetching;
  // One filled button in the view: the admin requests stand first.
  const requested = (useAdminRequests().data?.items.length ?? 0) > 0;
  const filtered = search !== "" || chosen !== "";
  const empty = { title: "No users found", ...(filtered ? { text: "Try adjusting your search or filters" } : {}) };
  return (
    <>
      <div className={styles.head}>
        <h1>User Management</h1>
      </div>
      {failed ? null : (
        <>
          <AdminRequests />
          <ProfileClaimsSection primary={!requested} />
        </>
      )}
      <ListFilters placeholder="Search by name or email..." filter={byRole} />
      <ListBody query={query} what="Users" count={users?.length} empty={empty}>
        <UsersTable users={users ?? []} ownId={ownId} />
        <ul className={styles.cards}>
          {users?.map((user) => (
            <UserCard key={user.userId} user={user} ownId={ownId} />
          ))}
        </ul>
      </ListBody>
    </>
  );
}

type Row = Readonly<{ ownId: string | undefined }>;

function UsersTable({ users, ownId }: Row & Readonly<{ users: readonly UserListItem[] }>) {
  return (
    <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Users">
      <table>
        <caption className="sr">Users, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Joined</th>
            <th scope="col">Id</th>
            <th scope="col">Change role</th>
            <th scope="col" className={styles.amount}>
              Access
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.userId}>
              <td>
                <span className={user.name ? styles.strong : "quiet"}>{user.name || "No name"}</span>
                <small>{user.email}</small>
              </td>
              <td>
                <RoleBadge role={user.role} />
                <SuspendedState user={user} />
              </td>
              <td className={styles.oneLine}>Joined {formatJoined(user)}</td>
              <td className="quiet">{user.userId.slice(0, 8)}</td>
              <td>
                <RoleSelect user={user} />
              </td>
              <td className={styles.actionCell}>
                <UserActions user={user} ownId={ownId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UserCard({ user, ownId }: Row & Readonly<{ user: UserListItem }>) {
  return (
    <li className={styles.bare}>
      <div>
        <h2>{user.name || "No name"}</h2>
        <p>{user.email}</p>
        <p>
          Joined {formatJoined(user)}, {user.userId.slice(0, 8)}
        </p>
      </div>
      <div className={styles.end}>
        <span>
          <RoleBadge role={user.role} /> <SuspendedState user={user} />
        </span>
        <RoleSelect user={user} />
      </div>
      <div className={styles.end}>
        <UserActions user={user} ownId={ownId} />
      </div>
    </li>
  );
}

const formatJoined = (user: UserListItem): string => formatShortDate(localMoment(user.createdAt).day);

function RoleBadge({ role }: Readonly<{ role: Role | null }>) {
  return <span className={`badge ${styles.plain}`}>{role ? role.toUpperCase() : "NO ROLE"}</span>;
}

function RoleSelect({ user }: Readonly<{ user: UserListItem }>) {
  return (
    <NativeSelect
      className={styles.select}
      size="sm"
      aria-label={`Change role of ${user.name || user.email}`}
      value={user.role}
      data={[...roles]}
      onChange={(event) => {
        const role = roles.find((one) => one === event.currentTarget.value);
        if (role && role !== user.role) openRoleDialog({ user, role });
      }}
    />
  );
}
