/** /admin/users: everybody who has an account, and what their role is. */
import { useState } from "react";
import { type Role, roles } from "#users/rules.ts";
import { ListFilters, useListFilters } from "../dashboard/lists/list-filters.tsx";
import { ListBody } from "../dashboard/lists/list-states.tsx";
import styles from "../dashboard/lists/list.module.css";
import { formatDayAndMonth, localMoment } from "../lib/format/dates.ts";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import { type Person, useUsers } from "../lib/api/users.ts";
import type { Route } from "./+types/users-page.ts";
import { type AccessChange, AccessDialog } from "./access-dialog.tsx";
import { AdminRequests } from "./admin-requests.tsx";
import { ProfileClaimsSection } from "./profile-claims-section.tsx";
import { UserActions, SuspendedState } from "./user-actions.tsx";
import { type RoleChange, RoleDialog } from "./role-dialog.tsx";

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
  const { query, people } = useUsers({ search, role: roles.find((one) => one === chosen) });
  const [change, setChange] = useState<RoleChange>();
  const [access, setAccess] = useState<AccessChange>();
  const me = useCurrentUser();
  const row = { ownId: me.phase === "known" ? me.me.id : undefined, onChange: setChange, onAccess: setAccess };
  const filtered = search !== "" || chosen !== "";
  const empty = { title: "No users found", ...(filtered ? { text: "Try adjusting your search or filters" } : {}) };
  return (
    <>
      <div className={styles.head}>
        <h1>User Management</h1>
      </div>
      <AdminRequests />
      <ProfileClaimsSection />
      <ListFilters placeholder="Search by name or email..." filter={byRole} />
      <ListBody query={query} what="Users" count={people?.length} empty={empty}>
        <UsersTable people={people ?? []} {...row} />
        <ul className={styles.cards}>
          {people?.map((person) => (
            <UserCard key={person.userId} person={person} {...row} />
          ))}
        </ul>
      </ListBody>
      <RoleDialog key={change?.person.userId} change={change} onClose={() => setChange(undefined)} />
      <AccessDialog
        key={access && `${access.person.userId} ${access.command}`}
        change={access}
        onClose={() => setAccess(undefined)}
      />
    </>
  );
}

type OnChange = (change: RoleChange) => void;
type Row = Readonly<{ ownId: string | undefined; onChange: OnChange; onAccess(change: AccessChange): void }>;

function UsersTable({ people, ...row }: Row & Readonly<{ people: readonly Person[] }>) {
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
          {people.map((person) => (
            <tr key={person.userId}>
              <td>
                <span className={person.name ? styles.strong : "quiet"}>{person.name || "No name"}</span>
                <small>{person.email}</small>
              </td>
              <td>
                <RoleBadge role={person.role} />
                <SuspendedState person={person} />
              </td>
              <td>Joined {joinedWords(person)}</td>
              <td className="quiet">{person.userId.slice(0, 8)}</td>
              <td>
                <RoleSelect person={person} onChange={row.onChange} />
              </td>
              <td className={styles.act}>
                <UserActions person={person} {...row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UserCard({ person, ...row }: Row & Readonly<{ person: Person }>) {
  return (
    <li className={styles.bare}>
      <div>
        <h2>{person.name || "No name"}</h2>
        <p>{person.email}</p>
        <p>
          Joined {joinedWords(person)}, {person.userId.slice(0, 8)}
        </p>
      </div>
      <div className={styles.end}>
        <span>
          <RoleBadge role={person.role} /> <SuspendedState person={person} />
        </span>
        <RoleSelect person={person} onChange={row.onChange} />
      </div>
      <div className={styles.end}>
        <UserActions person={person} {...row} />
      </div>
    </li>
  );
}

const joinedWords = (person: Person): string => {
  const { day } = localMoment(person.createdAt);
  return `${formatDayAndMonth(day)} ${day.slice(0, 4)}`;
};

function RoleBadge({ role }: Readonly<{ role: Role | null }>) {
  return <span className={`badge ${styles.plain}`}>{role ? role.toUpperCase() : "NO ROLE"}</span>;
}

function RoleSelect({ person, onChange }: Readonly<{ person: Person; onChange: OnChange }>) {
  return (
    <select
      className={`in ${styles.select}`}
      aria-label={`Change role of ${person.name || person.email}`}
      value={person.role}
      onChange={(event) => {
        const role = roles.find((one) => one === event.target.value);
        if (role && role !== person.role) onChange({ person, role });
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
    </select>
  );
}
