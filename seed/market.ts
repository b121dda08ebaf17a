import type { KnownArtist } from "#artists/index.ts";
import type { BookingStatus, CancelCode } from "#bookings/rules.ts";

export type PlannedArtist = { row: KnownArtist; place: string };

export type Promoter = {
  id: string;
  /** False: books as a guest, by the links of emails. */
  hasAccount: boolean;
  name: string;
  email: string;
  phone: string;
  organization: string;
  place: string;
  since: Date;
};

export type Canceled = {
  at: Date;
  by: "promoter" | "artist" | "system";
  code: CancelCode;
  note?: string;
  contract: "draft" | "sent" | "signed" | "declined";
  refund: "none" | "all" | "half_balance";
};

/** One show, requested or played. Future times are absent. */
export type Show = {
  id: string;
  artist: PlannedArtist;
  promoter: Promoter;
  status: BookingStatus;
  date: string;
  time: string;
  minutes: number;
  startsAt: Date;
  endsAt: Date;
  fee: number;
  eventType: string;
  guests: number | null;
  venue: string;
  specialRequest: string | null;
  requestedAt: Date;
  depositAt?: Date;
  sentAt?: Date;
  signedAt?: Date;
  balanceAt?: Date;
  completedAt?: Date;
  canceled?: Canceled;
};

export type DraftShow = Omit<Show, "status" | "requestedAt">;

export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
export const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
