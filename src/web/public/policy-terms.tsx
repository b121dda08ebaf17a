import type { ReactNode } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { policyNamed } from "#bookings/rules/cancellation/cancellation.rules.ts";
import { policyLines } from "#bookings/rules/cancellation/policy-text.rules.ts";
import { policyTitles } from "#settings/policy-names.rules.ts";
import { DetailRow } from "../ui/detail-row.tsx";
import shared from "./programme.module.css";

type Props = Readonly<{
  artist: Pick<ArtistProfile, "cancellation_policy" | "requires_deposit">;
  /** For a date that cannot be booked: without the cooling-off period and the name of the policy. */
  isShort?: boolean;
}>;

export function PolicyTerms({ artist, isShort = false }: Props) {
  const policy = policyNamed(artist.cancellation_policy);
  const rows = policyLines(policy, artist.requires_deposit);
  return (
    <LossList rows={isShort ? rows.slice(1) : rows}>
      {isShort ? null : `${policyTitles[policy.name]} cancellation policy.`}
    </LossList>
  );
}

type ListProps = Readonly<{ rows: readonly Readonly<{ time: string; lost: string }>[]; children: ReactNode }>;

export const LossList = ({ rows, children }: ListProps) => (
  <>
    <dl className={shared.lines}>
      {rows.map(({ time, lost }) => (
        <DetailRow key={time} label={time}>
          {lost}
        </DetailRow>
      ))}
    </dl>
    {children ? <p className="small quiet">{children}</p> : null}
  </>
);
