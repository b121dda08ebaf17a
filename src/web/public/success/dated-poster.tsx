import { paths } from "#platform/site-paths.rules.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { saveFile } from "../../lib/browser/save-file.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
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

type Night = Readonly<{
  artist: string;
  event_date: string;
  event_time: string;
  venue_name: string;
}>;

export function dateStripOf(night: Night): { day: string; place: string } {
  return {
    day: formatDay(night.event_date, { year: true }),
    place: `${night.event_time}, ${night.venue_name}`,
  };
}

const width = 1200;
const posterHeight = 1600;
const stripHeight = 220;

/** Returns a PNG of 1200 by 1820 pixels. Throws if the poster fails to load. */
async function drawNightPoster(address: string, night: Night): Promise<File> {
  const poster = new Image(width, posterHeight);
  poster.src = address;
  await poster.decode();
  // A browser that has not loaded the font yet would draw another one.
  await document.fonts.load("96px 'League Gothic'");
  const canvas = Object.assign(document.createElement("canvas"), { width, height: posterHeight + stripHeight });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser draws no pictures.");
  const fonts = getComputedStyle(document.documentElement);
  const display = fonts.getPropertyValue("--display") || "sans-serif";
  const text = fonts.getPropertyValue("--text") || "sans-serif";
  const strip = dateStripOf(night);
  pen.drawImage(poster, 0, 0, width, posterHeight);
  pen.fillStyle = "#fdfcfa";
  pen.fillRect(0, posterHeight, width, stripHeight);
  pen.textBaseline = "alphabetic";
  pen.fillStyle = "#1e1928";
  pen.font = `96px ${display}`;
  pen.fillText(strip.day, 50, posterHeight + 110, width - 100);
  pen.fillStyle = "#5b5463";
  pen.font = `500 44px ${text}`;
  pen.fillText(strip.place, 50, posterHeight + 178, width - 100);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("The poster could not be drawn.");
  return new File([blob], `${fileName(night)}.png`, { type: "image/png" });
}

const fileName = (night: Night): string =>
  `${night.artist} ${night.event_date}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
