import type { Tx } from "#platform/db/index.ts";
import type { ListedTable } from "#platform/personal-data/data-export.ts";
import type { PlatformServices } from "#platform/services/index.ts";

type OnOwnArtist = (tx: Tx, userId: string) => Promise<unknown>;

/** `ownArtists`: commands on a user's artist, which another module owns. `give` returns false if the artist cannot be given. */
export type AccountServices = PlatformServices &
  Readonly<{
    personalDataTables: readonly ListedTable[];
    ownArtists: Readonly<{
      lock: OnOwnArtist;
      retire: OnOwnArtist;
      give(tx: Tx, gift: { artistId: string; userId: string; now: Date }): Promise<boolean>;
    }>;
  }>;
