import { z } from "zod";

export const pictureImage = z
  .object({
    width: z.int(),
    height: z.int(),
    thumbhash: z.string().describe("base64; a blurred preview"),
    avif: z.boolean().describe("AVIF files exist in addition to the WebP files"),
  })
  .nullable();
