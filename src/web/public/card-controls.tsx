/** What can be done on an artist's card besides opening it. Loaded after the page: without script none of it works. */
import type { ArtistSample } from "#artists/sample.api.ts";
import { PlayButton } from "../player/play-button.tsx";
import { type PlayableArtist, trackOf } from "../player/player.ts";

export { CompareTick } from "./compare-tick/compare-tick.tsx";

export const PlaySample = ({ artist, sample }: { artist: PlayableArtist; sample: ArtistSample }) => (
  <PlayButton track={trackOf(artist, sample)} />
);
