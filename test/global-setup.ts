/** Makes the image of the embedded database once, before the workers start. */

import { embeddedImage } from "./database.ts";

export default async function setup(): Promise<void> {
  await embeddedImage();
}
