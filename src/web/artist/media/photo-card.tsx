import { Button, LinkButton } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { MediaDraft } from "./media-draft.ts";
import { UploadField } from "./upload-field.tsx";
import upload from "../../ui/upload.module.css";
import styles from "./media.module.css";

type Props = Readonly<{
  photo: MediaDraft["photo"];
  poster: string | null;
  error: string | undefined;
  onChange(photo: MediaDraft["photo"]): void;
}>;

export function PhotoCard({ photo, poster, error, onChange }: Props) {
  const address = photo?.url ?? poster;
  return (
    <section className={styles.panel}>
      <h2>Photo</h2>
      {address ? (
        <span className={`poster ${styles.photo}`}>
          <Picture
            key={address}
            address={address}
            image={photo?.image}
            sizes="15rem"
            width={600}
            height={800}
            alt={photo ? "Current photo" : "Your drawn poster"}
          />
        </span>
      ) : null}
      {photo ? (
        <div className={styles.actions}>
          <LinkButton tone="line" size="sm" href={photo.url} target="_blank" rel="noreferrer">
            View Full Size<span className="sr"> (opens in a new tab)</span>
          </LinkButton>
          <Button tone="line" size="sm" onClick={() => onChange(null)}>
            Remove
          </Button>
        </div>
      ) : (
        <p className="small quiet">No photo yet, so we show your poster.</p>
      )}
      {error ? (
        <p className={upload.problem} role="alert">
          {error}
        </p>
      ) : null}
      <UploadField label="Upload a new photo" kind="photo" onUploaded={({ url, image }) => onChange({ url, image })} />
    </section>
  );
}
