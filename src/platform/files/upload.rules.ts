/** What may be uploaded; the browser asks the same before it sends anything. */

/** 5 MB (specification, sections 2 and 9), in bytes. */
export const largestUpload = 5 * 1024 * 1024;

/** The kinds of picture that are read. SVG is none of them: it can carry scripts. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp", "image/avif"] as const;
export type PictureType = (typeof pictureTypes)[number];

export const isPictureType = (type: string): type is PictureType => (pictureTypes as readonly string[]).includes(type);

/** Says why a file cannot be uploaded as a picture; undefined when it may be tried. The server looks into the file itself. */
export function uploadProblem(file: { size: number; type: string }): string | undefined {
  if (!isPictureType(file.type)) return "Choose a JPEG, PNG, WebP or AVIF picture.";
  if (file.size > largestUpload) return "This file is larger than 5 MB. Choose a smaller one.";
  return file.size === 0 ? "The file is empty." : undefined;
}

/** 20 MB for a piece of music, in bytes. */
export const largestSound = 20 * 1024 * 1024;

/** A stored sample is no longer, in seconds; of a longer recording the loudest part is stored. */
export const longestSample = 90;
/** A recording must have so many seconds. */
export const shortestSample = 3;
/** Of a recording no more is listened to, in minutes. */
export const mostMinutesRead = 10;
/** All samples are played at this loudness, in LUFS. */
export const playedLoudness = -14;

/** What browsers call the formats that are read. The server looks into the file itself. */
export const soundTypes: Readonly<Record<string, readonly string[]>> = {
  "audio/mpeg": [".mp3"],
  "audio/ogg": [".ogg", ".oga", ".opus"],
};

/** Returns why a file cannot be uploaded as a sample, undefined if it may be tried. For a file without a type its ending counts. */
export function soundProblem(file: { size: number; type: string; name: string }): string | undefined {
  const ending = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0] ?? "";
  const isKnown = file.type in soundTypes || Object.values(soundTypes).some((endings) => endings.includes(ending));
  if (!isKnown) return "We can’t read this file. Save it as MP3 or OGG and try again.";
  if (file.size > largestSound) return "This file is larger than 20 MB. Save it as MP3 and try again.";
  return file.size === 0 ? "The file is empty." : undefined;
}
