import { TextInput } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { Fragment, useState } from "react";
import { maxCaptionLength, maxPortfolioPictures } from "#artists/media.rules.ts";
import { Button } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { type DraftPicture, moved } from "./media-draft.ts";
import { ReorderHandle, useReorder } from "./reorder.tsx";
import { UploadField } from "./upload-field.tsx";
import upload from "../../ui/fields/upload.module.css";
import styles from "./media.module.css";

type Props = Readonly<{
  items: readonly DraftPicture[];
  error: string | undefined;
  onChange(change: (items: readonly DraftPicture[]) => readonly DraftPicture[]): void;
}>;

type Removed = Readonly<{ picture: DraftPicture; at: number }>;

export function PortfolioEditor({ items, error, onChange }: Props) {
  const [removed, setRemoved] = useState<Removed>();
  const [restored, setRestored] = useState<string>();
  const [announcement, setAnnouncement] = useState("");
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || to === from) return;
    onChange((before) => moved(before, from, to));
    setAnnouncement(`Picture moved to position ${to + 1} of ${items.length}.`);
  };
  const remove = (at: number) => {
    const picture = items[at];
    if (!picture) return;
    onChange((before) => before.toSpliced(at, 1));
    setRemoved({ picture, at });
  };
  const restore = ({ picture, at }: Removed) => {
    onChange((before) => before.toSpliced(at, 0, picture));
    setRemoved(undefined);
    setRestored(picture.url);
    setAnnouncement(`Picture restored at position ${at + 1} of ${items.length + 1}.`);
  };
  const notice = removed ? (
    <li className={styles.removed}>
      <span role="status">
        {removed.picture.caption ? `“${removed.picture.caption}” was removed.` : "The picture was removed."}
      </span>
      <Button tone="line" size="sm" autoFocus onClick={() => restore(removed)}>
        Undo
      </Button>
    </li>
  ) : null;
  return (
    <section className={styles.panel}>
      <h2>Portfolio</h2>
      <p className="small quiet">
        {items.length === 0
          ? "No pictures yet. Show your stage, your last shows, your records."
          : "The first picture is large. To move a picture, drag its handle, or focus the handle and use the arrow keys. Alt text describes a picture for visitors who cannot see it."}
      </p>
      <ErrorNote message={error} className={upload.problem} />
      <UploadField
        label="Add pictures"
        kind="photo"
        max={maxPortfolioPictures - items.length}
        onUploaded={({ url, image }) => onChange((before) => [...before, { url, image, alt: "", caption: "" }])}
      />
      <ul className={styles.items} aria-label="Portfolio pictures">
        {items.map((picture, at) => (
          <Fragment key={picture.url}>
            {removed?.at === at ? notice : null}
            <Item
              picture={picture}
              at={at}
              count={items.length}
              isRestored={picture.url === restored}
              onMove={(to) => move(at, to)}
              onRemove={() => remove(at)}
              onTextChange={(texts) =>
                onChange((before) => before.map((one) => (one.url === picture.url ? { ...one, ...texts } : one)))
              }
            />
          </Fragment>
        ))}
        {removed && removed.at >= items.length ? notice : null}
      </ul>
      <p className="sr" role="status">
        {announcement}
      </p>
    </section>
  );
}

type ItemProps = Readonly<{
  picture: DraftPicture;
  at: number;
  count: number;
  isRestored: boolean;
  onMove(to: number): void;
  onRemove(): void;
  onTextChange(texts: Partial<Pick<DraftPicture, "alt" | "caption">>): void;
}>;

function Item({ picture, at, count, isRestored, onMove, onRemove, onTextChange }: ItemProps) {
  const { handle, dragging } = useReorder({ at, count, onMove });
  return (
    <li className={styles.item} data-item={at} data-dragging={dragging || undefined}>
      <ReorderHandle label={`Picture ${at + 1} of ${count}: move with the arrow keys`} {...handle} />
      <span className={`poster ${styles.thumb}`}>
        <Picture
          address={picture.url}
          image={picture.image}
          sizes="10rem"
          width={800}
          height={600}
          alt={picture.alt || `Picture ${at + 1}`}
          draggable={false}
        />
      </span>
      <div className={styles.texts}>
        <TextInput
          label="Alt text (optional)"
          name={`alt_${at}`}
          maxLength={maxCaptionLength}
          autoComplete="off"
          value={picture.alt}
          onChange={(event) => onTextChange({ alt: event.currentTarget.value })}
        />
        <TextInput
          label="Caption (optional)"
          name={`caption_${at}`}
          maxLength={maxCaptionLength}
          autoComplete="off"
          value={picture.caption}
          onChange={(event) => onTextChange({ caption: event.currentTarget.value })}
        />
      </div>
      <button
        className={styles.remove}
        type="button"
        autoFocus={isRestored}
        onClick={onRemove}
        aria-label={`Remove picture ${at + 1}`}
      >
        <Trash2 size={20} strokeWidth={1.6} aria-hidden />
      </button>
    </li>
  );
}
