import { z } from "zod";

export const artistSample = z.object({
  id: z.uuid(),
  title: z.string(),
  url: z.string().describe("An MP3 file"),
  seconds: z.number(),
  bars: z.string().describe("The waveform: 96 characters from 0 to z"),
});
export type ArtistSample = z.infer<typeof artistSample>;
