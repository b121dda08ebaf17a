import { TextInput } from "@mantine/core";
import { Film } from "lucide-react";
import { videoAddress } from "#artists/media/video.rules.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { MediaDraft } from "./media-draft.ts";
import { UploadField } from "./upload-field.tsx";
import styles from "./media.module.css";

type Props = Readonly<{
  video: Pick<MediaDraft, "video_url" | "video_poster">;
  error: string | undefined;
  onChange(change: Partial<MediaDraft>): void;
}>;

export function VideoCard({ video, error, onChange }: Props) {
  const address = videoAddress(video.video_url.trim());
  const poster = video.video_poster;
  return (
    <section className={styles.panel}>
      <h2>Video</h2>
      {poster ? (
        <span className={`poster ${styles.video}`}>
          <Picture
            key={poster.url}
            address={poster.url}
            image={poster.image}
            sizes="30rem"
            width={800}
            height={450}
            alt={poster.alt || "Preview of your video"}
          />
        </span>
      ) : (
        <p className={styles.placeholder}>
          <Film size={32} strokeWidth={1.4} aria-hidden />
          {address ? "Your video has no preview picture yet." : "No video yet."}
        </p>
      )}
      <TextInput
        label="Video URL"
        name="video_url"
        autoComplete="off"
        description="An address that starts with https://, or the ID of a YouTube or Vimeo video."
        value={video.video_url}
        error={error}
        onChange={(event) => onChange({ video_url: event.currentTarget.value })}
      />
      <div className={styles.actions}>
        {address ? (
          <LinkButton tone="line" size="sm" href={address} target="_blank" rel="noreferrer">
            View Video<span className="sr"> (opens in a new tab)</span>
          </LinkButton>
        ) : null}
        {video.video_url || poster ? (
          <Button tone="line" size="sm" onClick={() => onChange({ video_url: "", video_poster: null })}>
            Remove
          </Button>
        ) : null}
      </div>
      {poster ? (
        <TextInput
          label="Title of the video (optional)"
          name="video_caption"
          maxLength={200}
          autoComplete="off"
          value={poster.caption}
          onChange={(event) => onChange({ video_poster: { ...poster, caption: event.currentTarget.value } })}
        />
      ) : null}
      <UploadField
        label="Upload a preview picture"
        kind="video"
        onUploaded={({ url, image }) =>
          onChange({ video_poster: { alt: "", caption: "", ...video.video_poster, url, image } })
        }
      />
    </section>
  );
}
