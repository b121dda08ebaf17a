import { Menu, Modal, TextInput } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { maxSampleTitleLength } from "#artists/media.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import { apiErrorOf } from "../../lib/api-error.ts";
import { errorToast } from "../../lib/attempt.ts";
import { type OwnSample, useChangeSamples } from "../../lib/api/artist/own-samples.ts";
import { PlayButton } from "../../player/play-button.tsx";
import { clockTime, type Track, usePlayer } from "../../player/player.ts";
import { Waveform } from "../../player/waveform.tsx";
import { Button } from "../../ui/button.tsx";
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
  const [renaming, setRenaming] = useState(false);
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
          {isOn ? `${clockTime(time)} of ${clockTime(sample.seconds)}` : clockTime(sample.seconds)},{" "}
          {formatDecibels(sample.loudness)} LUFS
        </span>
      </p>
      <span className={styles.wave}>
        <Waveform bars={sample.bars} played={time / sample.seconds} />
      </span>
      <p className={styles.level}>
        <Level gain={sample.gain} />
      </p>
      <Menu position="bottom-end" width="11rem" shadow="none" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <button className={styles.icon} type="button" aria-label={`Actions: ${sample.title}`}>
            <Ellipsis size={20} strokeWidth={1.8} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>Rename</Menu.Item>
          <Menu.Item onClick={onReplace}>Replace</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={confirmRemoval}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming ? <RenameDialog sample={sample} onClose={() => setRenaming(false)} /> : null}
    </li>
  );
}

const reportFailure = errorToast("Not saved");

const formatDecibels = (value: number) => String(Math.round(value)).replace("-", "−");

/** Decibels. A smaller difference is not audible. */
const noticeable = 3;

function Level({ gain }: { gain: number }) {
  const decibels = Math.round(Math.abs(gain));
  if (decibels <= noticeable) return <span className="note green">Good level</span>;
  return (
    <span className="note gold">
      {gain > 0 ? `Quiet, we raise it ${decibels} dB` : `Loud, we lower it ${decibels} dB`}
    </span>
  );
}

function RenameDialog({ sample, onClose }: { sample: OwnSample; onClose(): void }) {
  const { rename } = useChangeSamples();
  const [title, setTitle] = useState(sample.title);
  return (
    <Modal opened onClose={onClose} title="Rename sample">
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ id: sample.id, title }, { onSuccess: onClose });
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          autoComplete="off"
          maxLength={maxSampleTitleLength}
          value={title}
          error={rename.error ? apiErrorOf(rename.error).message : undefined}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={rename.isPending} busyLabel="Saving...">
            Rename sample
          </Button>
        </div>
      </form>
    </Modal>
  );
}
