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
