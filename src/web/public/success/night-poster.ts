import { formatDay } from "../../lib/format/dates.ts";

export type Night = Readonly<{
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
export async function drawNightPoster(address: string, night: Night): Promise<File> {
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
