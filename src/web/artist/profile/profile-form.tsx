import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { maxBioLength, maxNameLength } from "#artists/own-profile/rules.ts";
import { genres, priceFrom, priceRange } from "#artists/rules.ts";
import { cardCanPay } from "#bookings/rules.ts";
import { splitCommission } from "#payments/rules.ts";
import { formatMoneyExact, formatPercent } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { RateField } from "../../dashboard/settings/rate-field.tsx";
import { rateOf, rateProblem } from "../../dashboard/settings/rates.ts";
import { SaveBar } from "../../dashboard/settings/save-bar.tsx";
import { unitProps } from "../../dashboard/settings/unit-input.tsx";
import type { OwnProfile } from "../../lib/api/artist/own-profile.ts";
import { formatSignedMoney } from "../../lib/format/amounts.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { LineList } from "./line-list.tsx";
import { LocationField } from "./location-field.tsx";
import { Preview } from "./preview.tsx";
import { hasConfirmedPrice } from "./profile-draft.ts";
import { type ProfileForm as Form, useProfileForm } from "./use-profile-form.ts";
import styles from "./profile.module.css";

export function ProfileForm({ profile }: Readonly<{ profile: OwnProfile }>) {
  const form = useProfileForm(profile);
  return (
    <form className={styles.form} {...form.props}>
      <div className={styles.panels}>
        <div className={styles.column}>
          <BasicInformation form={form} />
          <Show form={form} />
          <Pricing form={form} profile={profile} />
          <MediaUrls form={form} />
          <Contact form={form} email={profile.email} />
        </div>
        <div className={styles.column}>
          <Preview profile={profile} draft={form.draft} isChanged={form.bar.changes.length > 0} />
        </div>
      </div>
      <SaveBar save="Save Profile" isNew={profile.slug === null} {...form.bar} />
    </form>
  );
}

type Props = Readonly<{ form: Form }>;

function Section({ title, about, children }: Readonly<{ title: string; about: ReactNode; children: ReactNode }>) {
  return (
    <section className={styles.panel}>
      <h2>{title}</h2>
      <p className="small quiet">{about}</p>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

function BasicInformation({ form }: Props) {
  const { draft, change, field, messages } = form;
  return (
    <Section
      title="Basic Information"
      about="Shown on your public page. Promoters also search by name, genre and town."
    >
      <div className={styles.two}>
        <TextInput
          label="Artist Name"
          maxLength={maxNameLength}
          autoComplete="off"
          description={
            draft.name.trim() === "" ? "Without an artist name, we use the name of your account." : undefined
          }
          {...field("name")}
        />
        <NativeSelect
          label="Genre"
          name="genre"
          classNames={{ input: styles.genre ?? "" }}
          value={draft.genre}
          error={messages.genre}
          data={genres.map((genre) => ({ value: genre, label: genre }))}
          onChange={(event) => {
            const genre = genres.find((one) => one === event.currentTarget.value);
            if (genre) change({ genre });
          }}
        />
        <LocationField
          text={draft.location}
          error={messages.location}
          isMoving={form.isMoving}
          onChange={(location, place) => change({ location, place })}
        />
        <TextInput
          label="Experience"
          inputMode="numeric"
          autoComplete="off"
          {...unitProps("years", "4rem")}
          {...field("years_experience")}
        />
      </div>
      <Textarea
        label="Biography"
        rows={4}
        classNames={{ input: styles.growing ?? "" }}
        maxLength={maxBioLength}
        description={`${draft.bio.length.toLocaleString("en")} of ${maxBioLength.toLocaleString("en")} characters.`}
        {...field("bio")}
      />
    </Section>
  );
}

function Show({ form }: Props) {
  const { draft, change, messages } = form;
  return (
    <Section title="Your Show" about="Shown on your public page.">
      {(["specialties", "equipment"] as const).map((name) => (
        <LineList
          key={name}
          label={name === "specialties" ? "Specialties" : "Equipment"}
          name={name}
          lines={draft[name]}
          error={messages[name]}
          onChange={(lines) => change({ [name]: lines })}
        />
      ))}
      <fieldset className={styles.types}>
        <legend>Event Types</legend>
        {(["corporate", "private", "wedding"] as const).map((name) => (
          <Checkbox
            key={name}
            label={`${capitalized(name)} events`}
            name={name}
            checked={draft[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        ))}
        <p className="small quiet">Promoters cannot request a type that is off.</p>
      </fieldset>
    </Section>
  );
}

function Pricing({ form, profile }: Props & Readonly<{ profile: OwnProfile }>) {
  const { draft, field, change } = form;
  const { currency, commission_bps: share } = profile;
  const base = rateOf(draft.base_rate);
  const top = rateOf(draft.top_rate);
  const isPayable = cardCanPay(currency, base);
  const { commission, artist } = splitCommission(base, share);
  const exact = (cents: number) => formatMoneyExact(cents, currency);
  const isConfirmed = hasConfirmedPrice(profile);
  const storedBase = isConfirmed ? profile.base_rate : 0;
  return (
    <Section
      title="Pricing"
      about="Promoters pay no fees on top. Type the amount with a decimal point (1,500.00), or in cents without one (150000)."
    >
      {isConfirmed ? null : (
        <p className="note gold">
          <strong>Confirm your price in {currency.toUpperCase()}.</strong> The platform&apos;s currency has changed.
          Your former price was {priceRange({ ...profile, currency: profile.price_currency })}. You cannot be booked
          until you enter your rates in {currency.toUpperCase()} and save.
        </p>
      )}
      <div className={styles.two}>
        <RateField
          label="Base Rate (in cents)"
          currency={currency}
          stored={storedBase}
          shown={
            base > 0 && !isPayable
              ? "Shown as “On request”, because it is too small for a card payment."
              : `Shown as “${priceFrom({ base_rate: base, currency })}” on your profile.`
          }
          {...field("base_rate")}
          onChange={(base_rate) => change({ base_rate })}
        />
        <RateField
          label="Top Rate (optional)"
          currency={currency}
          stored={isConfirmed && profile.top_rate ? profile.top_rate : storedBase}
          shown={
            top > base && base > 0
              ? `Shown as “${priceRange({ base_rate: base, top_rate: top, currency })}” on your profile.`
              : "The most that a long or large show costs."
          }
          {...field("top_rate")}
          onChange={(top_rate) => change({ top_rate })}
        />
      </div>
      {isPayable && !rateProblem(draft.base_rate) ? (
        <div>
          <p className="small quiet">For a show at your base rate. Only you see this.</p>
          <dl className={`${styles.shares} num`}>
            <DetailRow label="Gross">{exact(base)}</DetailRow>
            <DetailRow label={`Commission, ${formatPercent(share / 100)}`}>
              {formatSignedMoney(-commission, currency)}
            </DetailRow>
            <DetailRow label="Net to you">
              <strong>{exact(artist)}</strong>
            </DetailRow>
          </dl>
        </div>
      ) : null}
    </Section>
  );
}

function MediaUrls({ form }: Props) {
  return (
    <Section
      title="Media URLs"
      about={
        <>
          Shown on your public page. To upload pictures instead, open{" "}
          <Link to={paths.artistArea.media}>Media &amp; Portfolio</Link>.
        </>
      }
    >
      <div className={styles.two}>
        <TextInput
          label="Photo URL"
          autoComplete="off"
          description="Without a photo, your page shows your poster."
          {...form.field("photo_url")}
        />
        <TextInput
          label="Video URL"
          autoComplete="off"
          description="An address that starts with https://, or the ID of a YouTube or Vimeo video."
          {...form.field("video_url")}
        />
      </div>
    </Section>
  );
}

function Contact({ form, email }: Props & Readonly<{ email: string }>) {
  return (
    <Section
      title="Contact"
      about={
        <>
          Not on your public page, unless <Link to={paths.artistArea.settings("privacy")}>Show Contact Info</Link> is on
          in your settings. Your contracts have your confirmed email address.
        </>
      }
    >
      <div className={styles.two}>
        <TextInput
          label="Email"
          type="email"
          readOnly
          value={email}
          classNames={{ input: styles.readonly ?? "" }}
          description={
            <>
              Change it in your <Link to={paths.account}>account</Link>.
            </>
          }
        />
        <TextInput label="Phone" type="tel" autoComplete="tel" maxLength={40} {...form.field("phone")} />
      </div>
    </Section>
  );
}
