/** The controls of an artist's card. Loaded after the page, because they need scripts. */

import type { ArtistSample } from "#artists/sample.api.ts";
import { PlayButton } from "../player/play-button.tsx";
import { type PlayableArtist, trackOf } from "../player/player.ts";

export { CompareTick } from "./compare-tick/compare-tick.tsx";

export const PlaySample = ({ artist, sample }: { artist: PlayableArtist; sample: ArtistSample }) => (
  <PlayButton track={trackOf(artist, sample)} />
);
