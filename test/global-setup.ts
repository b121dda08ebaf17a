/** Makes the image of the embedded database before the workers start, so that it is made once. */
import { embeddedImage } from "./database.ts";

export default async function setup(): Promise<void> {
  await embeddedImage();
}
