/** Made by scripts/schema-types.ts from the migrations; never edited by hand. */
import type { ColumnType, GeneratedAlways } from "kysely";

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A JSON document: read it through a zod shape, write it through json() of the platform. */
export type Json = unknown;
export type Bytes = Uint8Array;

export interface AccountChanges {
  id: Generated<string>;
  seq: Generated<number>;
  user_id: string;
  kind: string;
  token_hash: Bytes;
  before: Generated<Json>;
  factor_secret: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  undone_at: Timestamp | null;
}

export interface Activity {
  id: Generated<string>;
  type: string;
  ref_id: string | null;
  message: string;
  meta: Generated<Json>;
  actor_id: string | null;
  created_at: Generated<Timestamp>;
  position: Generated<number>;
}

export interface ActivityChain {
  number: number;
  position: number;
  activity_id: string;
  hash: Bytes;
}

export interface AdminRequests {
  user_id: string;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: string | null;
  granted: boolean | null;
}

export interface ArtistConnect {
  artist_id: string;
  onboarding_status: Generated<string>;
  provider_account: string | null;
  updated_at: Generated<Timestamp>;
  bank: string | null;
  frozen_until: Timestamp | null;
  requested_at: Timestamp | null;
  needs_lookup: Generated<boolean>;
  user_id: string | null;
  bank_return: Json | null;
}

export interface ArtistFiles {
  name: string;
  user_id: string;
  kind: string;
  bytes: number;
  width: number;
  height: number;
  thumbhash: string;
  avif_at: Timestamp | null;
  avif_tries: Generated<number>;
  avif_try_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
}

export interface ArtistMedia {
  id: Generated<string>;
  artist_id: string;
  kind: string;
  url: string;
  caption: Generated<string>;
  position: Generated<number>;
  created_at: Generated<Timestamp>;
  image: Json | null;
  alt: Generated<string>;
}

export interface ArtistSamples {
  id: string;
  artist_id: string;
  name: string;
  title: string;
  position: number;
  bytes: number;
  seconds: number;
  loudness: number;
  gain: number;
  bars: string;
  created_at: Generated<Timestamp>;
}

export interface Artists {
  id: Generated<string>;
  user_id: string | null;
  slug: string;
  name: string;
  genre: string;
  bio: Generated<string>;
  photo_url: string | null;
  video_url: string | null;
  base_rate: Generated<number>;
  top_rate: number | null;
  is_active: Generated<boolean>;
  years_experience: number | null;
  location: Generated<string>;
  lat: number | null;
  lon: number | null;
  time_zone: Generated<string>;
  specialties: Generated<string[]>;
  equipment: Generated<string[]>;
  rating_x10: Generated<number>;
  review_count: Generated<number>;
  booked_count: Generated<number>;
  featured_rank: number | null;
  version: Generated<number>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  price_order: GeneratedAlways<number>;
  poster_variant: Generated<number>;
  photo_image: Json | null;
  place_id: string | null;
  contact_phone: string | null;
  is_public: Generated<boolean>;
  price_currency: Generated<string>;
  travel_radius: Generated<number>;
  home: GeneratedAlways<string>;
  reach: GeneratedAlways<string>;
  inactive_by_suspension: Generated<boolean>;
  allowed_name: string | null;
  name_text: GeneratedAlways<string>;
}

export interface Backups {
  id: Generated<number>;
  file: string;
  bytes: number;
  made_at: Timestamp;
  verified_at: Timestamp | null;
  failure: string | null;
  compared_tables: number | null;
  compared_rows: number | null;
}

export interface BalanceConsents {
  id: Generated<string>;
  booking_id: string;
  text: string;
  text_version: number;
  amount_cents: number;
  currency: string;
  due_day: string | null;
  given_at: Timestamp;
  address: string;
  user_agent: string;
  withdrawn_at: Timestamp | null;
  withdrawn_by: string | null;
  charge_id: string | null;
}

export interface BalanceSchedules {
  booking_id: string;
  round: Generated<number>;
  started_at: Timestamp;
  due_day: string | null;
  last_step: string | null;
  next_step: string | null;
  next_at: Timestamp | null;
}

export interface BalanceSteps {
  booking_id: string;
  round: number;
  step: string;
  due_day: string | null;
  at: Timestamp;
  withdrawn_at: Timestamp | null;
}

export interface Bookings {
  id: Generated<string>;
  artist_id: string;
  promoter_user_id: string | null;
  promoter_name: string;
  promoter_email: string;
  promoter_phone: string;
  event_date: string;
  event_time: string;
  event_type: string;
  guest_count: number | null;
  duration: string | null;
  duration_minutes: number;
  special_requests: string | null;
  venue_name: string;
  venue_address: string;
  time_zone: string;
  starts_at: Timestamp;
  ends_at: Timestamp;
  status: Generated<string>;
  fee_cents: number;
  currency: string;
  deposit_percent: number;
  deposit_cents: number;
  balance_cents: number;
  commission_bps: number;
  policy_name: string;
  policy: Json;
  version: Generated<number>;
  access_key_hash: Bytes | null;
  form_key: string | null;
  canceled_at: Timestamp | null;
  canceled_by: string | null;
  deposit_paid_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  deposit_payment_id: string | null;
  balance_payment_id: string | null;
  balance_paid_at: Timestamp | null;
  completed_at: Timestamp | null;
  sequence_number: Generated<number>;
  number: GeneratedAlways<string>;
  cancel_code: string | null;
  cancel_note: string | null;
  request_browser: string | null;
  email_proven_at: Timestamp | null;
  answer_due_at: Timestamp | null;
  balance_unpayable_at: Timestamp | null;
  needs_confirmation: Generated<boolean>;
  verified_key_hash: Bytes | null;
  email_corrections: Generated<number>;
  cancellation_fee_cents: number | null;
  calendar_organizer: string | null;
}

export interface CalendarConnectionShows {
  connection_id: string;
  booking_id: string;
  version: number | null;
  text_digest: Bytes | null;
  etag: string | null;
}

export interface CalendarConnections {
  id: Generated<string>;
  user_id: string;
  server_url: string;
  username: string;
  password_sealed: string;
  calendar_url: string | null;
  created_at: Timestamp;
  next_sync_at: Timestamp;
  leased_until: Timestamp | null;
  attempts: Generated<number>;
  last_success_at: Timestamp | null;
  last_written_at: Timestamp | null;
  failing_since: Timestamp | null;
  message: string | null;
  failed_field: string | null;
  notified_at: Timestamp | null;
  removing_since: Timestamp | null;
}

export interface CalendarFeeds {
  user_id: string;
  kind: string;
  token_hash: Bytes | null;
  token_sealed: string | null;
  created_at: Generated<Timestamp>;
  last_fetched_at: Timestamp | null;
  last_client: string | null;
}

export interface ComponentTests {
  name: string;
  product: string;
  in_use_since: Timestamp;
  tested_at: Timestamp;
  took_ms: number;
  works: boolean;
  message: string;
  details: string | null;
  succeeded_at: Timestamp | null;
  failed_at: Timestamp | null;
}

export interface ContactMessages {
  id: Generated<string>;
  name: string;
  email: string;
  subject: Generated<string>;
  message: string;
  created_at: Generated<Timestamp>;
}

export interface ContractDocuments {
  id: Generated<string>;
  contract_id: string;
  kind: string;
  sha256: Bytes;
  bytes: Bytes;
  pages: number;
  created_at: Timestamp;
  media_type: Generated<string>;
  text: Json | null;
}

export interface ContractEvents {
  contract_id: string;
  number: number;
  entry: string;
  hash: Bytes;
}

export interface ContractLinks {
  hash: Bytes;
  contract_id: string;
  side: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

export interface ContractObjections {
  contract_id: string;
  side: string;
  reason: string;
  made_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: string | null;
  decision: string | null;
  decision_reason: string | null;
}

export interface ContractSeals {
  id: Generated<string>;
  certificate: Bytes;
  private_key: string;
  created_at: Timestamp;
  retired_at: Timestamp | null;
}

export interface ContractSigners {
  contract_id: string;
  side: string;
  name: string;
  signed_name: string | null;
  method: string | null;
  drawing: string | null;
  document_sha256: Bytes | null;
  signed_at: Timestamp | null;
}

export interface ContractSigningCodes {
  contract_id: string;
  side: string;
  code_hash: Bytes;
  channel: string;
  sent_to: string;
  tries: Generated<number>;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface ContractTemplates {
  id: string;
  version: number;
  title: string;
  sections: Json;
  saved_by: string | null;
  saved_at: Timestamp;
  first_signer: string | null;
}

export interface Contracts {
  id: Generated<string>;
  booking_id: string;
  signed_status: Generated<string>;
  provider: string;
  doc_url: string | null;
  terms: Json;
  terms_hash: string;
  document_hash: string | null;
  sent_at: Timestamp | null;
  signed_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  send_from: Timestamp | null;
  attempts: Generated<number>;
  next_try_at: Timestamp | null;
  last_error: string | null;
  template: string | null;
  expires_at: Timestamp | null;
  extended_at: Timestamp | null;
  reminders: Generated<number>;
  declined_at: Timestamp | null;
  declined_by: string | null;
  decline_reason: string | null;
  provider_requested_at: Timestamp | null;
  provider_ref: string | null;
  provider_polled_at: Timestamp | null;
  provider_cancel_from: Timestamp | null;
  provider_canceled_at: Timestamp | null;
  provider_alarm: string | null;
  first_signer: string | null;
  sealed_at: Timestamp | null;
  reminders_from: Timestamp | null;
}

export interface DateReservations {
  id: Generated<string>;
  artist_id: string;
  booking_id: string | null;
  kind: string;
  during: string;
  expires_at: Timestamp | null;
  held_by_browser: string | null;
  held_by_address: string | null;
  held_by_email: string | null;
  created_at: Generated<Timestamp>;
  released_by: string | null;
  entry: Generated<number>;
  span: string | null;
  note: string | null;
  external_calendar_id: string | null;
  hold_night_id: string | null;
  entry_digest: string | null;
  absent_since: Timestamp | null;
}

export interface DisputeEvidence {
  id: Generated<string>;
  dispute_id: string;
  requested_by: string | null;
  texts: Json;
  status: Generated<string>;
  attempts: Generated<number>;
  requested_at: Timestamp | null;
  needs_lookup: Generated<boolean>;
  last_error: string | null;
  next_try_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface DisputeFiles {
  id: Generated<string>;
  evidence_id: string;
  field: string;
  name: string;
  media_type: string;
  bytes: Bytes;
  provider_file: string | null;
}

export interface Disputes {
  id: Generated<string>;
  provider_ref: string;
  provider_payment: string;
  payment_id: string | null;
  booking_id: string | null;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  evidence_due_at: Timestamp | null;
  submissions: Generated<number>;
  withdrawn: Generated<number>;
  settled_at: Timestamp | null;
  from_refunds: Generated<number>;
  from_held: Generated<number>;
  from_artist: Generated<number>;
  from_platform: Generated<number>;
  from_loss: Generated<number>;
  opened_at: Timestamp;
  closed_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  regained: Generated<number>;
  returned_at: Timestamp | null;
  returned_artist: Generated<number>;
  returned_platform: Generated<number>;
  accepting_until: Timestamp | null;
  returned_held: Generated<number>;
}

export interface DocumentFiles {
  document_id: string;
  bytes: Bytes;
  sha256: Bytes;
  pages: number;
  created_at: Generated<Timestamp>;
}

export interface DocumentSellers {
  id: Generated<string>;
  artist_id: string | null;
  ordinal: Generated<number>;
  last_number: Generated<number>;
  has_coded_prefix: Generated<boolean>;
  prefix: GeneratedAlways<string>;
}

export interface Documents {
  id: Generated<string>;
  seller_id: string;
  sequence_number: number;
  number: string;
  kind: string;
  cause_key: string;
  booking_id: string;
  payment_id: string | null;
  corrects_id: string | null;
  seller_artist_id: string | null;
  buyer_artist_id: string | null;
  buyer_email: string | null;
  currency: string;
  gross: number;
  tax: Generated<number>;
  tax_label: Generated<string>;
  tax_bps: Generated<number>;
  details: Json;
  occurred_at: Timestamp;
  issued_at: Timestamp;
  artist_owner_id: string | null;
}

export interface DocumentsDue {
  group_id: string;
  posted_at: Timestamp;
  waited_at: Timestamp | null;
  failed_at: Timestamp | null;
  failed_reason: string | null;
}

export interface EmailTemplates {
  template: string;
  active: Generated<boolean>;
  texts: Generated<Json>;
  version: Generated<number>;
  updated_by: string | null;
  updated_at: Generated<Timestamp>;
}

export interface EndedSessions {
  id: string;
  user_id: string;
  notified: Generated<boolean>;
  expires_at: Timestamp;
}

export interface EventOutbox {
  id: Generated<number>;
  topic: string;
  body: Json;
  created_at: Generated<Timestamp>;
  available_at: Generated<Timestamp>;
  attempts: Generated<number>;
  last_error: string | null;
  dead_at: Timestamp | null;
}

export interface ExternalCalendars {
  id: Generated<string>;
  artist_id: string;
  name: string;
  url_sealed: string;
  url_host: string;
  etag: string | null;
  entry_count: Generated<number>;
  created_at: Generated<Timestamp>;
  checked_at: Timestamp | null;
  last_success_at: Timestamp | null;
  last_read_at: Timestamp | null;
  failing_since: Timestamp | null;
  message: string | null;
  notified_at: Timestamp | null;
  unread_count: Generated<number>;
  unread_title: string | null;
  unread_day: string | null;
  unread_reason: string | null;
  had_end: Generated<boolean>;
}

export interface FactorChallenges {
  id: Generated<string>;
  factor_id: string;
  session_id: string;
  expires_at: Timestamp;
}

export interface Factors {
  id: Generated<string>;
  user_id: string;
  friendly_name: Generated<string>;
  status: Generated<string>;
  secret: string;
  last_step: Generated<number>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  kind: Generated<string>;
  credential_id: string | null;
  last_used_at: Timestamp | null;
}

export interface ForceMajeureProposals {
  id: Generated<string>;
  booking_id: string;
  proposed_by: string;
  reason: string;
  paid_cents: number;
  refund_cents: number;
  everything_back: boolean;
  proposed_at: Timestamp;
  expires_at: Timestamp;
  closed_at: Timestamp | null;
  outcome: string | null;
}

export interface FormerPaymentAccounts {
  provider_account: string;
  artist_id: string;
  user_id: string | null;
  onboarding_status: string;
  why: string;
  ended_at: Timestamp;
}

export interface HoldChallenges {
  id: Generated<string>;
  artist_id: string;
  night: string;
  promoter_user_id: string;
  hold_night_id: string;
  started_at: Timestamp;
  ends_at: Timestamp;
  closed_at: Timestamp | null;
  outcome: string | null;
}

export interface HoldNights {
  id: Generated<string>;
  hold_id: string;
  artist_id: string;
  promoter_user_id: string | null;
  night: string;
  state: string;
  rank: number | null;
  expires_at: Timestamp;
  challenge_ends_at: Timestamp | null;
  must_pay: Generated<boolean>;
  booking_id: string | null;
  ended_at: Timestamp | null;
  ended_rank: number | null;
  pays_from: Timestamp | null;
  reminded_for: Timestamp | null;
  busy_notified_at: Timestamp | null;
  reserve_again: Generated<boolean>;
}

export interface Holds {
  id: Generated<string>;
  artist_id: string;
  promoter_user_id: string | null;
  entered_name: string | null;
  event_time: string;
  event_location: string;
  event_type: string;
  note: string;
  created_at: Generated<Timestamp>;
  entered_email: string | null;
}

export interface Identities {
  issuer: string;
  subject: string;
  user_id: string;
  admin_claimed: Generated<boolean>;
  role_before: string | null;
  created_at: Timestamp;
  last_used_at: Timestamp;
  refused_at: Timestamp | null;
}

export interface InstallationClock {
  only_row: Generated<boolean>;
  ahead_ms: Generated<number>;
  moving_until: Timestamp | null;
  moved_by: string | null;
}

export interface InstallationKeys {
  name: string;
  value: string;
  created_at: Generated<Timestamp>;
}

export interface JobRuns {
  name: string;
  ran_at: Timestamp;
  lease_until: Timestamp | null;
}

export interface KnownNetworks {
  user_id: string;
  block_hash: Bytes;
  second_factor: Generated<boolean>;
  last_used_at: Timestamp;
}

export interface LedgerDailySums {
  day: string;
  kind: string;
  account: string;
  payment_kind: string;
  currency: string;
  amount: number;
}

export interface LedgerEntries {
  id: Generated<number>;
  group_id: string;
  account: string;
  amount: number;
  currency: string;
}

export interface LedgerGroups {
  id: Generated<string>;
  cause_key: string;
  kind: string;
  booking_id: string | null;
  payment_id: string | null;
  posted_at: Generated<Timestamp>;
}

export interface LedgerUnsummed {
  group_id: string;
}

export interface Messages {
  id: Generated<string>;
  channel: string;
  recipient: string;
  template: string;
  subject: Generated<string>;
  text: string;
  html: string | null;
  ref_id: string | null;
  dedupe_key: string | null;
  status: Generated<string>;
  attempts: Generated<number>;
  last_error: string | null;
  next_try_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  reply_to: string | null;
  adapter: string | null;
  provider_ref: string | null;
  attachment_name: string | null;
  attachment_kind: string | null;
  attachment_id: string | null;
  attachment_text: string | null;
  retry_until: Timestamp | null;
  expires_at: Timestamp | null;
}

export interface MissingFiles {
  name: string;
  found_at: Timestamp;
  accepted_at: Timestamp | null;
}

export interface NoShowReports {
  booking_id: string;
  reported_at: Timestamp;
  note: string;
  decided_at: Timestamp | null;
  decided_by: string | null;
  released_cents: number | null;
  refunded_cents: number | null;
  decision: string | null;
  statement: string | null;
  stated_at: Timestamp | null;
  stated_by: string | null;
}

export interface OneTimeTokens {
  hash: Bytes;
  user_id: string;
  kind: string;
  target: string;
  redirect: string | null;
  nonce_hash: Bytes | null;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  code_hash: Bytes | null;
}

export interface OperatorNotices {
  kind: string;
  first_at: Timestamp;
  last_at: Timestamp;
}

export interface OperatorTokens {
  hash: Bytes;
  purpose: string;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  used_at: Timestamp | null;
  used_by: string | null;
}

export interface PasskeyChallenges {
  id: Generated<string>;
  purpose: string;
  challenge: string;
  session_id: string | null;
  browser_hash: Bytes | null;
  expires_at: Timestamp;
}

export interface PastHolds {
  id: Generated<number>;
  artist_id: string;
  event_date: string;
  held_by_browser: string | null;
  held_by_address: string | null;
  held_by_email: string | null;
  ended_at: Timestamp;
  booking_id: string | null;
  opened_at: Timestamp | null;
  ended_by: string | null;
}

export interface PayLinks {
  hash: Bytes;
  booking_id: string;
  created_at: Generated<Timestamp>;
  kind: string;
}

export interface PaymentPayers {
  payment_id: string;
  name: string;
  email: string;
  company: Generated<string>;
  tax_id: Generated<string>;
  created_at: Generated<Timestamp>;
}

export interface Payments {
  id: Generated<string>;
  booking_id: string;
  kind: string;
  amount: number;
  currency: string;
  status: Generated<string>;
  checkout_state: Generated<string>;
  title: Generated<string>;
  provider: string;
  provider_ref: string | null;
  provider_payment: string | null;
  provider_charge: string | null;
  checkout_url: string | null;
  expires_at: Timestamp | null;
  amount_refunded: Generated<number>;
  last_error: string | null;
  payment_date: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  payer_email: string | null;
  description: Generated<string>;
  image_url: string | null;
  requested_at: Timestamp | null;
  request_params: Json | null;
  lease_until: Timestamp | null;
  needs_lookup: Generated<boolean>;
  last_polled_at: Timestamp | null;
  payer_name: string | null;
  way: Generated<string>;
  save_card_notice: string | null;
  decline_code: string | null;
  attempts: Generated<number>;
  next_try_at: Timestamp | null;
}

export interface Payouts {
  id: Generated<string>;
  booking_id: string;
  artist_id: string;
  amount: number;
  currency: string;
  due_at: Timestamp;
  planned_at: Timestamp | null;
  paid_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  stuck_at: Timestamp | null;
  stuck_reason: string | null;
  attempts: Generated<number>;
  next_try_at: Timestamp | null;
  wait_notified_at: Timestamp | null;
}

export interface ProfileClaims {
  id: Generated<string>;
  artist_id: string;
  user_id: string;
  evidence: string;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: string | null;
  granted: boolean | null;
  note: string | null;
}

export interface Profiles {
  user_id: string;
  email: string;
  name: string;
  role: Generated<string>;
  created_at: Generated<Timestamp>;
}

export interface ProviderCharges {
  provider_payment: string;
  payment_id: string | null;
  checkout_ref: string | null;
  charge: string | null;
  amount: number;
  currency: string;
  captured_at: Timestamp;
  recorded_as: string;
  why: string | null;
  settled_amount: number | null;
  settled_currency: string | null;
}

export interface ProviderEvents {
  id: string;
  provider: string;
  type: string;
  object_id: string | null;
  payload: Json;
  received_at: Generated<Timestamp>;
  processed_at: Timestamp | null;
  attempts: Generated<number>;
  last_error: string | null;
  dead_at: Timestamp | null;
  next_try_at: Generated<Timestamp>;
  source: Generated<string>;
}

export interface RateLimits {
  key: string;
  hits: number;
  reset_at: Timestamp;
}

export interface Reconciliations {
  id: Generated<number>;
  started_at: Timestamp;
  finished_at: Timestamp;
  compared: number;
  healed: number;
  differences: Json;
}

export interface RecoveryCodes {
  user_id: string;
  hash: Bytes;
  used_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  argon2: string | null;
}

export interface RefreshTokens {
  hash: Bytes;
  session_id: string;
  parent: Bytes | null;
  seq: number;
  used_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  line: Generated<number>;
  aal: Generated<string>;
}

export interface Refunds {
  id: Generated<string>;
  payment_id: string | null;
  amount: number;
  currency: string;
  reason: string;
  cause_key: string;
  status: Generated<string>;
  provider_ref: string | null;
  attempts: Generated<number>;
  last_error: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  provider_payment: string;
  requested_at: Timestamp | null;
  needs_lookup: Generated<boolean>;
  next_try_at: Generated<Timestamp>;
  paid_outside_at: Timestamp | null;
  by_dispute_at: Timestamp | null;
  from_regained: Generated<number>;
}

export interface ReviewReplies {
  review_id: string;
  author_user_id: string | null;
  body: string;
  created_at: Generated<Timestamp>;
}

export interface ReviewReports {
  review_id: string;
  reporter_user_id: string | null;
  reason: string;
  created_at: Generated<Timestamp>;
  decided_at: Timestamp | null;
  decided_by: string | null;
  decision: string | null;
}

export interface Reviews {
  id: Generated<string>;
  booking_id: string;
  artist_id: string;
  author_name: string;
  rating: number;
  body: Generated<string>;
  created_at: Generated<Timestamp>;
  written_by: string;
  author_user_id: string | null;
  published_at: Timestamp | null;
  hidden_at: Timestamp | null;
  hidden_by: string | null;
  hidden_reason: string | null;
}

export interface SandboxObjects {
  id: string;
  kind: string;
  body: Json;
  created_at: Generated<Timestamp>;
  due_at: Timestamp | null;
  attempts: Generated<number>;
}

export interface SandboxRequests {
  key: string;
  fingerprint: string;
  status: number;
  body: Json;
  created_at: Generated<Timestamp>;
}

export interface SavedCards {
  method: string;
  customer: string;
  booking_id: string;
  payment_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  saved_at: Timestamp;
  removal_requested_at: Timestamp | null;
  removed_at: Timestamp | null;
  attempts: Generated<number>;
  next_try_at: Timestamp | null;
  last_error: string | null;
}

export interface SeedMarkers {
  name: string;
  at: Generated<Timestamp>;
  note: string | null;
}

export interface Sessions {
  id: Generated<string>;
  user_id: string;
  aal: Generated<string>;
  amr: Generated<Json>;
  user_agent: string | null;
  ip: string | null;
  created_at: Generated<Timestamp>;
  refreshed_at: Generated<Timestamp>;
  not_after: Timestamp;
  ip_block: string | null;
  checked_at: Timestamp | null;
  reauthenticated_at: Timestamp | null;
}

export interface Settings {
  scope: string;
  owner_id: Generated<string>;
  value: Json;
  version: Generated<number>;
  updated_by: string | null;
  updated_at: Generated<Timestamp>;
}

export interface SigningKeys {
  kid: string;
  private_key: string;
  public_key: Json;
  active_from: Timestamp;
  retired_at: Timestamp | null;
  created_at: Generated<Timestamp>;
}

export interface TransferReversals {
  id: Generated<string>;
  transfer_id: string;
  amount: number;
  currency: string;
  reason: string;
  cause_key: string;
  status: Generated<string>;
  provider_ref: string | null;
  attempts: Generated<number>;
  requested_at: Timestamp | null;
  needs_lookup: Generated<boolean>;
  last_error: string | null;
  next_try_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  settled_amount: number | null;
  settled_currency: string | null;
  paid_outside_at: Timestamp | null;
}

export interface Transfers {
  id: Generated<string>;
  payout_id: string;
  payment_id: string;
  provider_payment: string;
  amount: number;
  currency: string;
  destination: string | null;
  status: Generated<string>;
  provider_ref: string | null;
  amount_reversed: Generated<number>;
  attempts: Generated<number>;
  requested_at: Timestamp | null;
  needs_lookup: Generated<boolean>;
  last_error: string | null;
  next_try_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  returned_dispute_id: string | null;
  settled_amount: number | null;
  settled_currency: string | null;
  replaced_reversal_id: string | null;
  paid_outside_at: Timestamp | null;
  earner_id: string | null;
}

export interface UnreconciledItems {
  id: Generated<string>;
  kind: string;
  what: string;
  ref: string;
  amount: number | null;
  currency: string | null;
  occurred_at: Timestamp;
  first_seen_at: Timestamp;
  resolved_at: Timestamp | null;
  resolution: string | null;
  resolved_by: string | null;
  reason: string | null;
  booking_id: string | null;
  payment_id: string | null;
  marked_booking_id: string | null;
  booking_number: string | null;
  payment_kind: string | null;
  payer_name: string | null;
  payer_email: string | null;
}

export interface Users {
  id: Generated<string>;
  email: string | null;
  phone: string | null;
  password_hash: string | null;
  email_confirmed_at: Timestamp | null;
  phone_confirmed_at: Timestamp | null;
  new_email: string | null;
  new_phone: string | null;
  banned_until: Timestamp | null;
  user_metadata: Generated<Json>;
  confirmation_sent_at: Timestamp | null;
  recovery_sent_at: Timestamp | null;
  last_sign_in_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  deleted_at: Timestamp | null;
  email_change_old_ok: Generated<boolean>;
  email_change_new_ok: Generated<boolean>;
  password_changed_at: Timestamp | null;
  suspended_reason: string | null;
  idle_sign_up_hash: string | null;
  hosted_seen_at: Timestamp | null;
  hosted_factor: Generated<boolean>;
  former_emails: Generated<string[]>;
}

export interface DB {
  account_changes: AccountChanges;
  activity: Activity;
  activity_chain: ActivityChain;
  admin_requests: AdminRequests;
  artist_connect: ArtistConnect;
  artist_files: ArtistFiles;
  artist_media: ArtistMedia;
  artist_samples: ArtistSamples;
  artists: Artists;
  backups: Backups;
  balance_consents: BalanceConsents;
  balance_schedules: BalanceSchedules;
  balance_steps: BalanceSteps;
  bookings: Bookings;
  calendar_connection_shows: CalendarConnectionShows;
  calendar_connections: CalendarConnections;
  calendar_feeds: CalendarFeeds;
  component_tests: ComponentTests;
  contact_messages: ContactMessages;
  contract_documents: ContractDocuments;
  contract_events: ContractEvents;
  contract_links: ContractLinks;
  contract_objections: ContractObjections;
  contract_seals: ContractSeals;
  contract_signers: ContractSigners;
  contract_signing_codes: ContractSigningCodes;
  contract_templates: ContractTemplates;
  contracts: Contracts;
  date_reservations: DateReservations;
  dispute_evidence: DisputeEvidence;
  dispute_files: DisputeFiles;
  disputes: Disputes;
  document_files: DocumentFiles;
  document_sellers: DocumentSellers;
  documents: Documents;
  documents_due: DocumentsDue;
  email_templates: EmailTemplates;
  ended_sessions: EndedSessions;
  event_outbox: EventOutbox;
  external_calendars: ExternalCalendars;
  factor_challenges: FactorChallenges;
  factors: Factors;
  force_majeure_proposals: ForceMajeureProposals;
  former_payment_accounts: FormerPaymentAccounts;
  hold_challenges: HoldChallenges;
  hold_nights: HoldNights;
  holds: Holds;
  identities: Identities;
  installation_clock: InstallationClock;
  installation_keys: InstallationKeys;
  job_runs: JobRuns;
  known_networks: KnownNetworks;
  ledger_daily_sums: LedgerDailySums;
  ledger_entries: LedgerEntries;
  ledger_groups: LedgerGroups;
  ledger_unsummed: LedgerUnsummed;
  messages: Messages;
  missing_files: MissingFiles;
  no_show_reports: NoShowReports;
  one_time_tokens: OneTimeTokens;
  operator_notices: OperatorNotices;
  operator_tokens: OperatorTokens;
  passkey_challenges: PasskeyChallenges;
  past_holds: PastHolds;
  pay_links: PayLinks;
  payment_payers: PaymentPayers;
  payments: Payments;
  payouts: Payouts;
  profile_claims: ProfileClaims;
  profiles: Profiles;
  provider_charges: ProviderCharges;
  provider_events: ProviderEvents;
  rate_limits: RateLimits;
  reconciliations: Reconciliations;
  recovery_codes: RecoveryCodes;
  refresh_tokens: RefreshTokens;
  refunds: Refunds;
  review_replies: ReviewReplies;
  review_reports: ReviewReports;
  reviews: Reviews;
  sandbox_objects: SandboxObjects;
  sandbox_requests: SandboxRequests;
  saved_cards: SavedCards;
  seed_markers: SeedMarkers;
  sessions: Sessions;
  settings: Settings;
  signing_keys: SigningKeys;
  transfer_reversals: TransferReversals;
  transfers: Transfers;
  unreconciled_items: UnreconciledItems;
  users: Users;
}
