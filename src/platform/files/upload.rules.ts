/** 5 MB, in bytes. */
export const maxUploadBytes = 5 * 1024 * 1024;

/** The accepted picture types. Not SVG, which can contain scripts. */
const pictureTypes = ["image/jpeg", "image/png", "image/webp", "image/avif"] as const;
export type PictureType = (typeof pictureTypes)[number];

export const isPictureType = (type: string): type is PictureType => (pictureTypes as readonly string[]).includes(type);

/** Returns why a file cannot be uploaded as a picture, or undefined. The server also checks the content. */
export function uploadProblem(file: { size: number; type: string }): string | undefined {
  if (!isPictureType(file.type)) return "Choose a JPEG, PNG, WebP or AVIF picture.";
  if (file.size > maxUploadBytes) return "This file is larger than 5 MB. Choose a smaller one.";
  return file.size === 0 ? "The file is empty." : undefined;
}

export const maxSoundBytes = 20 * 1024 * 1024;

export const maxSampleSeconds = 90;
export const minSampleSeconds = 3;
export const maxMinutesRead = 10;
export const playedLoudness = -14;

/** The browsers' names of the accepted formats. The server also checks the content. */
export const soundTypes: Readonly<Record<string, readonly string[]>> = {
  "audio/mpeg": [".mp3"],
  "audio/ogg": [".ogg", ".oga", ".opus"],
};

/** Returns why a file cannot be uploaded as a sample, or undefined. A file without a type is checked by its ending. */
export function soundProblem(file: { size: number; type: string; name: string }): string | undefined {
  const ending = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0] ?? "";
  const isKnown = file.type in soundTypes || Object.values(soundTypes).some((endings) => endings.includes(ending));
  if (!isKnown) return "We can’t read this file. Save it as MP3 or OGG and try again.";
  if (file.size > maxSoundBytes)
    return "This file is larger than 20 MB. Save a shorter or smaller version and try again.";
  return file.size === 0 ? "The file is empty." : undefined;
}
