import { paths } from "#platform/site-paths.rules.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { saveFile } from "../../lib/browser/save-file.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { drawNightPoster, type Night, dateStripOf } from "./night-poster.ts";
import styles from "./dated-poster.module.css";

type Props = Readonly<{
  night: Night;
  artist: Readonly<{ slug: string; name: string; picture_url: string }>;
}>;

export function DatedPoster({ night, artist }: Props) {
  const strip = dateStripOf(night);
  return (
    <div>
      <figure className={styles.hung}>
        <span className="poster">
          <img
            src={artist.picture_url}
            width={600}
            height={800}
            alt={`Poster for ${artist.name}`}
            fetchPriority="low"
          />
        </span>
        <figcaption className={styles.strip}>
          <b>{strip.day}</b>
          <small>{strip.place}</small>
        </figcaption>
      </figure>
      <div className={styles.take}>
        <Download night={night} picture={artist.picture_url} />
        <Share artist={artist} />
      </div>
    </div>
  );
}

function Download({ night, picture }: Readonly<{ night: Night; picture: string }>) {
  const save = async () => {
    try {
      saveFile(await drawNightPoster(picture, night));
    } catch {
      toast({ tone: "error", title: "Error", text: "The poster could not be drawn. Please try again." });
    }
  };
  return (
    <Button tone="line" size="sm" busyLabel="Drawing..." onClick={save}>
      Download poster
    </Button>
  );
}

function Share({ artist }: Pick<Props, "artist">) {
  const canShare = useHydrated() && "share" in navigator;
  const address = () => new URL(paths.artist(artist.slug), window.location.href).href;
  const share = async () => {
    try {
      await navigator.share({ title: artist.name, url: address() });
    } catch (error) {
      // The user closed the device's dialog.
      if (error instanceof DOMException && error.name === "AbortError") return;
      await copy();
    }
  };
  const copy = () =>
    copyText(address(), {
      done: { title: "Link copied", text: `It links to the page of ${artist.name}.` },
      otherwise: `The link is ${address()}`,
    });
  return (
    <Button tone="line" size="sm" onClick={() => void (canShare ? share() : copy())}>
      {canShare ? "Share" : "Copy link"}
    </Button>
  );
}
