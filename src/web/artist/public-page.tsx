import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";

type Props = Readonly<{ artist: Readonly<{ slug: string | null; is_active: boolean; is_public: boolean }> }>;

export function PublicPage({ artist: { slug, is_active: isActive, is_public: isPublic } }: Props) {
  if (slug === null) return <p>Save your profile to be found and booked.</p>;
  if (!isActive) return <p>An admin has deactivated your page.</p>;
  if (!isPublic)
    return (
      <p>
        Your page is hidden. <Link to={paths.artistArea.settings("privacy")}>Change this in your settings</Link>
      </p>
    );
  return (
    <p>
      Your public page: <Link to={paths.artist(slug)}>{paths.artist(slug)}</Link>
    </p>
  );
}
