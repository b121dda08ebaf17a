import { useEffect } from "react";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { useOwnProfile } from "../../lib/api/artist/own-profile.ts";
import { toast } from "../../lib/toasts.ts";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import { ProfileClaimSection } from "../profile-claim-section.tsx";
import { PublicPage } from "../public-page.tsx";
import { ProfileForm } from "./profile-form.tsx";
import styles from "./profile.module.css";

export const meta = () => [{ title: "My Profile: Artist Dashboard" }];

export default function ArtistProfilePage() {
  const query = useOwnProfile();
  const failed = query.error !== null && !query.isFetching && query.data === undefined;
  useEffect(() => {
    if (failed) toast({ tone: "error", title: "Error", text: "Failed to load your profile. Please try again." });
  }, [failed]);
  const profile = query.data;
  return (
    <>
      <PageHead title="My Profile">{profile ? <PublicPage artist={profile} /> : null}</PageHead>
      {profile ? (
        <>
          {profile.slug === null ? <ProfileClaimSection /> : null}
          <ProfileForm profile={profile} />
        </>
      ) : failed ? (
        <ListFailed what="Your profile" query={query} />
      ) : (
        <Loading />
      )}
    </>
  );
}

const loadingFields = ["2.75rem", "2.75rem", "9rem", "2.75rem", "2.75rem"];

function Loading() {
  return (
    <section className={styles.panels} aria-label="Loading">
      <LoadingStatus what="your profile" />
      <div className={styles.panel} aria-hidden>
        {loadingFields.map((height, at) => (
          <Skeleton key={at} height={height} mb="1.4rem" />
        ))}
      </div>
      <div className={styles.panel} aria-hidden>
        <Skeleton height="22rem" />
      </div>
    </section>
  );
}
