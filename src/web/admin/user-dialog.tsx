import { Modal } from "@mantine/core";
import { useState } from "react";
import { paths, searchedList } from "#platform/site-paths.rules.ts";
import type { UserListItem } from "../lib/api/users.ts";
import { formatShortDate, localMoment } from "../lib/format/dates.ts";
import { LinkButton } from "../ui/button.tsx";
import details from "./payments/payments.module.css";

type Props = Readonly<{ user: UserListItem | undefined; onClose(): void }>;

export function UserDialog({ user: opened, onClose }: Props) {
  // The details stay while the dialog fades out.
  const [user, setUser] = useState(opened);
  if (opened && opened !== user) setUser(opened);
  return (
    <Modal opened={opened !== undefined} onClose={onClose} title={user?.name || "No name"} size="36rem">
      {user ? (
        <>
          <dl className={details.details}>
            {detailsOf(user).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
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

const dayOf = (moment: string): string => formatShortDate(localMoment(moment).day);

const detailsOf = (user: UserListItem): [name: string, value: string][] => [
  ["Email", `${user.email}${user.emailVerified ? "" : ", not confirmed"}`],
  ["Role", user.role],
  ["Joined", dayOf(user.createdAt)],
  ["Last seen", user.lastSeenAt ? dayOf(user.lastSeenAt) : "Never"],
  ["Two-factor sign-in", user.hasSecondFactor ? "On" : "Off"],
  ["Suspended", user.suspended ? (user.suspendedReason ?? "Yes") : "No"],
  ["Id", user.userId],
];
