import { experienceText, priceRange } from "#artists/rules.ts";
import { rateOf } from "../../dashboard/settings/rates.ts";
import type { OwnProfile } from "../../lib/api/artist/own-profile.ts";
import { Picture } from "../../ui/picture.tsx";
import { asInteger, hasConfirmedPrice, type ProfileDraft } from "./profile-draft.ts";
import styles from "./profile.module.css";

type Props = Readonly<{ profile: OwnProfile; draft: ProfileDraft; isChanged: boolean }>;

export function Preview({ profile, draft, isChanged }: Props) {
  const photo = draft.photo_url.trim();
  const picture = photo || profile.poster_url;
  const top = draft.top_rate.trim() === "" ? null : rateOf(draft.top_rate);
  const price = { base_rate: rateOf(draft.base_rate), top_rate: top };
  const years = draft.years_experience.trim() === "" ? null : asInteger(draft.years_experience);
  const missing = emptyParts(draft);
  return (
    <section className={styles.panel} aria-label="Preview">
      <h2>As promoters see you</h2>
      <p className="small quiet">
        {isChanged || profile.slug === null ? "With your unsaved changes." : "Saved version."}
      </p>
      <div className={styles.preview}>
        {picture ? (
          <span className="poster">
            <Picture
              key={picture}
              address={picture}
              image={photo && photo === profile.photo_url ? profile.photo_image : null}
              sizes="20rem"
              width={600}
              height={800}
              alt={photo ? "Your photo" : "Your poster"}
            />
          </span>
        ) : (
          <p className={styles.nothing}>Your poster is drawn when you save.</p>
        )}
        <h3>{draft.name.trim() || profile.name}</h3>
        <p className="small quiet cap">{[draft.genre, draft.location.trim()].filter(Boolean).join(", ")}</p>
        <p className="small quiet">{experienceText(years)}</p>
        <p className="num">
          <strong>
            {priceRange({
              ...price,
              currency: profile.currency,
              price_confirmed: draft.base_rate.trim() !== "" || hasConfirmedPrice(profile),
            })}
          </strong>
        </p>
        {draft.bio.trim() ? <p className={`small ${styles.bio}`}>{draft.bio}</p> : null}
      </div>
      {missing.length > 0 ? <p className="small quiet">Not on your page yet: {missing.join(", ")}.</p> : null}
    </section>
  );
}

const parts = {
  photo_url: "photo",
  location: "location",
  bio: "biography",
  specialties: "specialties",
  equipment: "equipment",
  video_url: "video",
} as const;

const emptyParts = (draft: ProfileDraft): string[] =>
  (Object.keys(parts) as (keyof typeof parts)[]).filter((name) => draft[name].length === 0).map((name) => parts[name]);
