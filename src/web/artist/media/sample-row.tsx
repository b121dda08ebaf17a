import { Menu, TextInput } from "@mantine/core";
import { maxSampleTitleLength } from "#artists/media.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { openDialog } from "../../dashboard/dialogs/open-dialog.ts";
import { ActionsMenu, DestructiveItem, DialogItem } from "../../dashboard/lists/actions-menu.tsx";
import { useApiForm } from "../../dashboard/use-api-form.ts";
import { type OwnSample, useChangeSamples } from "../../lib/api/artist/own-samples.ts";
import { errorToast } from "../../lib/attempt.ts";
import { PlayButton } from "../../player/play-button.tsx";
import { clockTime, type Track, usePlayer } from "../../player/player.ts";
import { Waveform } from "../../player/waveform.tsx";
import { ReorderHandle, useReorder } from "./reorder.tsx";
import styles from "./samples.module.css";

type Props = Readonly<{
  sample: OwnSample;
  track: Track;
  queue: readonly Track[];
  at: number;
  count: number;
  onMove(to: number): void;
  onReplace(): void;
}>;

export function SampleRow({ sample, track, queue, at, count, onMove, onReplace }: Props) {
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
      onConfirm: () => remove.mutateAsync({ id: sample.id }).catch(reportFailure),
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

const reportFailure = errorToast("Not saved");

/** Decibels. A smaller difference is not audible. */
const noticeable = 3;

function Level({ gain }: { gain: number }) {
  const decibels = Math.round(Math.abs(gain));
  if (decibels <= noticeable) return null;
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
    send: async ({ title }) => {
      await rename.mutateAsync({ id: sample.id, title });
      onClose();
    },
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
