import { Menu, TextInput } from "@mantine/core";
import { ArrowUp, TriangleAlert, X } from "lucide-react";
import { useRef, useState } from "react";
import { maxSamples, maxSampleTitleLength } from "#artists/media.rules.ts";
import { maxSampleSeconds, soundTypes } from "#platform/files/upload.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { ActionsMenu, DestructiveItem, DialogItem } from "../../dashboard/lists/list-cells.tsx";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import type { OwnMedia } from "../../lib/api/artist/own-media.ts";
import { type OwnSample, useChangeSamples, useOwnSamples } from "../../lib/api/artist/own-samples.ts";
import { errorToast } from "../../lib/attempt.ts";
import { formatBytes } from "../../lib/format/bytes.ts";
import { toast } from "../../lib/toasts.ts";
import { PlayButton } from "../../player/play-button.tsx";
import { type Track, clockTime, usePlayer } from "../../player/player.ts";
import { Waveform } from "../../player/waveform.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { DropField } from "./drop-field.tsx";
import { moved } from "./media-draft.ts";
import { ReorderHandle, useReorder } from "./reorder.tsx";
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
                choose(upload.replaces);
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

type RowProps = Readonly<{
  sample: OwnSample;
  track: Track;
  queue: readonly Track[];
  at: number;
  count: number;
  onMove(to: number): void;
  onReplace(): void;
}>;

function SampleRow({ sample, track, queue, at, count, onMove, onReplace }: RowProps) {
  const { handle, dragging } = useReorder({ at, count, onMove });
  const { remove } = useChangeSamples();
  const time = usePlayer((now) => (now.track?.id === sample.id ? now.time : 0));
  const isOn = usePlayer((now) => now.track?.id === sample.id);
  const confirmRemoval = () =>
    openConfirmation({
      title: "Delete sample",
      text: `Delete “${sample.title}”? Promoters can no longer play it.`,
      confirm: "Delete sample",
      busy: "Deleting...",
      cancel: "Keep sample",
      danger: true,
      onConfirm: () => remove.mutateAsync({ id: sample.id }),
      failed: "Not saved",
    });
  return (
    <li className={styles.row} data-item={at} data-dragging={dragging || undefined} data-on={isOn || undefined}>
      <ReorderHandle label={`${sample.title}, ${at + 1} of ${count}: move with the arrow keys`} {...handle} />
      <span className={styles.number}>{at + 1}</span>
      <PlayButton track={track} queue={queue} />
      <p className={styles.name}>
        <strong>{sample.title}</strong>
        <span className="num">
          {isOn ? `${clockTime(time)} of ${clockTime(sample.seconds)}` : clockTime(sample.seconds)}
        </span>
      </p>
      <span className={styles.wave}>
        <Waveform bars={sample.bars} played={time / sample.seconds} />
      </span>
      <Level gain={sample.gain} />
      <ActionsMenu name={sample.title}>
        <DialogItem onClick={() => openRenameDialog(sample)}>Rename</DialogItem>
        <Menu.Item onClick={onReplace}>Replace</Menu.Item>
        <DestructiveItem label="Delete" onClick={confirmRemoval} />
      </ActionsMenu>
    </li>
  );
}

const audibleDecibels = 3;

function Level({ gain }: { gain: number }) {
  const decibels = Math.round(Math.abs(gain));
  if (decibels <= audibleDecibels) return null;
  return (
    <p className={styles.level}>
      <span className="note gold">
        {gain > 0 ? `Quiet, we raise it ${decibels} dB` : `Loud, we lower it ${decibels} dB`}
      </span>
    </p>
  );
}

const openRenameDialog = (sample: OwnSample): void =>
  openDialog("Rename sample", (onClose) => <RenameForm sample={sample} onClose={onClose} />);

function RenameForm({ sample, onClose }: { sample: OwnSample; onClose(): void }) {
  const { rename } = useChangeSamples();
  const form = useApiForm({
    initialValues: { title: sample.title },
    fallback: "title",
    send: ({ title }) => rename.mutateAsync({ id: sample.id, title }),
    onClose,
  });
  return (
    <DialogForm form={form} submit="Rename sample" busyLabel="Saving..." onClose={onClose}>
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        maxLength={maxSampleTitleLength}
        {...form.field("title")}
      />
    </DialogForm>
  );
}
