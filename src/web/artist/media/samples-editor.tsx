import { ArrowUp, TriangleAlert, X } from "lucide-react";
import { useRef, useState } from "react";
import { maxSamples } from "#artists/media.rules.ts";
import { maxSampleSeconds, soundTypes } from "#platform/files/upload.rules.ts";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import type { OwnMedia } from "../../lib/api/artist/own-media.ts";
import { type OwnSample, useChangeSamples, useOwnSamples } from "../../lib/api/artist/own-samples.ts";
import { errorToast } from "../../lib/attempt.ts";
import { formatBytes } from "../../lib/format/bytes.ts";
import { toast } from "../../lib/toasts.ts";
import type { Track } from "../../player/player.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { DropField } from "./drop-field.tsx";
import { moved } from "./media-draft.ts";
import { SampleRow } from "./sample-row.tsx";
import { type SampleUpload, useSampleUploads } from "./use-sample-uploads.ts";
import styles from "./samples.module.css";

type Artist = Pick<OwnMedia, "name" | "slug" | "photo_url" | "photo_image" | "poster_url">;

const accept = [...Object.keys(soundTypes), ...new Set(Object.values(soundTypes).flat())].join(",");

/** Saves every change immediately, unlike the pictures. */
export function SamplesEditor({ artist }: { artist: Artist }) {
  const query = useOwnSamples();
  if (query.data) return <Samples artist={artist} samples={query.data.items} />;
  if (query.error && !query.isFetching) return <ListFailed what="Your samples" query={query} />;
  return <Skeleton height="14rem" aria-label="Loading your samples" role="status" />;
}

const trackOfOwn = (artist: Artist, { id, title, url, seconds, bars }: OwnSample): Track => ({
  id,
  title,
  url,
  seconds,
  bars,
  price: "your sample",
  artist: {
    name: artist.name,
    slug: artist.slug ?? "",
    picture_url: artist.photo_url ?? artist.poster_url ?? "",
    photo_image: artist.photo_image,
  },
});

function Samples({ artist, samples }: { artist: Artist; samples: readonly OwnSample[] }) {
  const { uploads, add, dismiss } = useSampleUploads();
  const { order } = useChangeSamples();
  const [announced, setAnnounced] = useState("");
  const replacing = useRef<string>(undefined);
  const file = useRef<HTMLInputElement>(null);
  const left = maxSamples - samples.length - uploads.filter(({ problem }) => !problem).length;
  const choose = (replaces: string | undefined) => {
    replacing.current = replaces;
    file.current?.click();
  };
  const take = (files: readonly File[]) => {
    if (files.length > left) return toast({ tone: "error", title: "Too many files", text: limitText(left) });
    add(files);
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= samples.length || to === from) return;
    order.mutate({ ids: moved(samples, from, to).map(({ id }) => id) }, { onError: (error) => fail(error) });
    setAnnounced(`${samples[from]?.title} moved to position ${to + 1} of ${samples.length}.`);
  };
  const tracks = samples.map((sample) => trackOfOwn(artist, sample));
  return (
    <section className={styles.section} aria-labelledby="samples">
      <header>
        <h2 id="samples">Samples</h2>
        <p className="small quiet">
          {samples.length === 0
            ? "No samples yet. Promoters listen before they book."
            : "The first plays on your poster. Drag to change the order."}
        </p>
      </header>
      <DropField
        label="Drop your tracks here"
        hint={`Up to ${maxSamples} tracks. MP3 or OGG, 20 MB each. Promoters hear the loudest ${maxSampleSeconds} seconds.`}
        accept={accept}
        multiple
        disabled={left < 1}
        onFiles={take}
      />
      {/* One hidden input serves "Replace" and "Choose another". */}
      <input
        ref={file}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label="Choose another file"
        accept={accept}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files) add([...files], replacing.current);
          event.currentTarget.value = "";
        }}
      />
      {samples.length + uploads.length > 0 ? (
        <ol className={styles.list} aria-label="Your samples">
          {samples.map((sample, at) => (
            <SampleRow
              key={sample.id}
              sample={sample}
              track={tracks[at] as Track}
              queue={tracks}
              at={at}
              count={samples.length}
              onMove={(to) => move(at, to)}
              onReplace={() => choose(sample.id)}
            />
          ))}
          {uploads.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onDismiss={() => dismiss(upload.key)}
              onChooseAnother={() => {
                dismiss(upload.key);
                choose(undefined);
              }}
            />
          ))}
        </ol>
      ) : null}
      <p className="sr" role="status">
        {announced}
      </p>
      <p className="small quiet">We set all samples to the same loudness. Only upload what you may publish.</p>
    </section>
  );
}

const limitText = (left: number) =>
  left < 1 ? `You have ${maxSamples} samples, which is the limit. Delete one first.` : `Choose ${left} at most.`;

const fail = errorToast("Not saved");

type Props = Readonly<{ upload: SampleUpload; onDismiss(): void; onChooseAnother(): void }>;

function UploadRow({ upload, onDismiss, onChooseAnother }: Props) {
  const { name, size, part, secondsLeft, problem } = upload;
  const isSent = part >= 1;
  return (
    <li className={styles.row} data-upload data-failed={problem ? true : undefined}>
      <span className={styles.sign}>
        {problem ? <TriangleAlert size={24} aria-hidden /> : <ArrowUp size={20} aria-hidden />}
      </span>
      <p className={styles.name}>
        <strong>{name}</strong>
        <span className="num">
          {problem ? "not uploaded" : `${Math.round(part * 100)}%, ${formatBytes(size * part)} of ${formatBytes(size)}`}
        </span>
      </p>
      {problem ? (
        <div className={styles.problem}>
          <p role="alert">{problem}</p>
          <Button tone="line" size="sm" onClick={onChooseAnother}>
            Choose another
          </Button>
        </div>
      ) : (
        <p className={styles.progress}>
          <progress value={part} max={1} aria-label={`Uploading ${name}`} />
          <span className="small quiet">
            {isSent ? "Preparing..." : secondsLeft ? `${secondsLeft} seconds left` : ""}
          </span>
        </p>
      )}
      <button
        type="button"
        className={styles.icon}
        aria-label={problem ? `Dismiss ${name}` : `Stop ${name}`}
        onClick={onDismiss}
      >
        <X size={20} aria-hidden />
      </button>
    </li>
  );
}
