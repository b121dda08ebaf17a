import { type SubmitEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SaveBar } from "../../dashboard/settings/save-bar.tsx";
import { changesSince, useOverwriteWarning } from "../../dashboard/settings/use-overwrite-warning.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type OwnMedia, useOwnMedia, useSaveOwnMedia } from "../../lib/api/artist/own-media.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import { NoProfile } from "../no-profile.tsx";
import { PublicPage } from "../public-page.tsx";
import {
  changedParts,
  draftOf,
  draftProblems,
  editableParts,
  inputOf,
  type MediaDraft,
  partNames,
} from "./media-draft.ts";
import { PortfolioEditor } from "./portfolio-editor.tsx";
import { SamplesEditor } from "./samples-editor.tsx";
import { UploadField } from "./upload-field.tsx";
import { VideoCard } from "./video-card.tsx";
import upload from "../../ui/fields/upload.module.css";
import styles from "./media.module.css";

export const meta = () => [{ title: "Media & Portfolio: Artist Dashboard" }];

export default function ArtistMediaPage() {
  const query = useOwnMedia();
  if (query.data) {
    if (query.data.slug === null) return <WithoutProfile />;
    return <Editor media={query.data} onReload={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHead title="Media & Portfolio" />
      {query.error && !query.isFetching ? (
        <ListFailed what="Your media" query={query} />
      ) : (
        <section className={styles.panels} aria-label="Loading">
          <LoadingStatus what="your media" />
          <Skeleton height="26rem" aria-hidden />
          <Skeleton height="26rem" aria-hidden />
        </section>
      )}
    </>
  );
}

function WithoutProfile() {
  return (
    <>
      <PageHead title="Media & Portfolio" />
      <section className={styles.panel}>
        <NoProfile
          title="Your profile comes first"
          text="Save your artist profile first, then add your pictures here."
        />
      </section>
    </>
  );
}

function Editor({ media, onReload }: Readonly<{ media: OwnMedia; onReload(): void }>) {
  const form = useMediaForm(media);
  const { draft, messages, change } = form;
  return (
    <form {...form.props}>
      <PageHead title="Media & Portfolio">
        <p>
          Samples are saved immediately. The photo, the video, pictures and their texts are saved with Save Changes.
        </p>
        <PublicPage artist={media} />
      </PageHead>
      <div className={styles.panels}>
        <PhotoCard
          key={`photo ${form.version}`}
          photo={draft.photo}
          poster={media.poster_url}
          error={messages["photo_url"]}
          onChange={(photo) => change(() => ({ photo }))}
        />
        <VideoCard
          key={`video ${form.version}`}
          video={draft}
          error={messages["video_url"]}
          onChange={(given) => change(() => given)}
        />
      </div>
      <SamplesEditor artist={media} />
      <PortfolioEditor
        key={form.version}
        items={draft.items}
        error={messages["items"]}
        onChange={(next) => change((before) => ({ items: next(before.items) }))}
      />
      <SaveBar
        save="Save Changes"
        undo="Cancel Changes"
        changes={form.changes}
        error={form.error}
        busy={form.busy}
        onUndo={() => {
          form.discard();
          onReload();
        }}
      />
    </form>
  );
}

function useMediaForm(media: OwnMedia) {
  const element = useRef<HTMLFormElement>(null);
  const saving = useSaveOwnMedia();
  const [changes, setChanges] = useState<Partial<MediaDraft>>({});
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string>();
  // A saved or discarded draft begins a new version, without rejected files and without a removed picture to restore.
  const [version, setVersion] = useState(0);
  const stored = draftOf(media);
  const draft = { ...stored, ...changes };
  const overwrite = useOverwriteWarning(editableParts(stored));
  const reset = () => {
    setMessages({});
    setError(undefined);
  };
  const begin = (saved?: Partial<MediaDraft>) => {
    setChanges((before) => changesSince(before, saved));
    overwrite.onReset(saved);
    setVersion((before) => before + 1);
  };
  const show = (found: Readonly<Record<string, string>>) => {
    const names = Object.keys(found);
    // The field shows its message before it takes the focus.
    flushSync(() => {
      setMessages(found);
      setError(
        `Check ${names.map((name) => (name in partNames ? partNames[name as keyof MediaDraft] : name)).join(", ")}.`,
      );
    });
    element.current?.querySelector<HTMLElement>(`[name="${CSS.escape(names[0] ?? "")}"]`)?.focus();
  };
  const save = async () => {
    closeErrors();
    const problems = draftProblems(draft);
    if (Object.keys(problems).length > 0) return show(problems);
    reset();
    const warning = overwrite.warn(changedParts(stored, draft), (part) => partNames[part]);
    if (warning) return setError(warning);
    try {
      await saving.mutateAsync({ ...inputOf(draft), version: media.version });
      begin(changes);
      toast({ title: "Success", text: "Your media has been updated successfully." });
    } catch (failure) {
      const { message, fields } = apiErrorOf(failure);
      const named = Object.entries(fields).map(([name, text]) => [name.split(".")[0] ?? "", text] as const);
      if (named.length > 0) show(Object.fromEntries(named));
      else setError(message);
      toast({ tone: "error", title: "Error", text: "Failed to save media. Please try again." });
    }
  };
  return {
    draft,
    version,
    messages,
    error,
    busy: saving.isPending,
    changes: changedParts(stored, draft).map((part) => partNames[part]),
    change: (how: (before: MediaDraft) => Partial<MediaDraft>) => {
      reset();
      overwrite.onEdit(Object.keys(how(draft)) as (keyof MediaDraft)[]);
      // Several uploads may end between two renders.
      setChanges((before) => ({ ...before, ...how({ ...stored, ...before }) }));
    },
    discard: () => {
      reset();
      begin();
    },
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!saving.isPending) void save();
      },
    },
  };
}

type Props = Readonly<{
  photo: MediaDraft["photo"];
  poster: string | null;
  error: string | undefined;
  onChange(photo: MediaDraft["photo"]): void;
}>;

function PhotoCard({ photo, poster, error, onChange }: Props) {
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
      <ErrorNote message={error} className={upload.problem} />
      <UploadField label="Upload a new photo" kind="photo" onUploaded={({ url, image }) => onChange({ url, image })} />
    </section>
  );
}
