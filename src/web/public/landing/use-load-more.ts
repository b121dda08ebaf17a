import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { apiErrorOf } from "../../lib/api-error.ts";
import type { ApiClient } from "../../lib/api/api-context.ts";
import type { CardArtist } from "../artist-card.tsx";
import { pageLength } from "./browse-query.ts";

export type ListPage = Readonly<{ items: readonly (CardArtist & { id: string })[]; nextCursor: string | null }>;

/** The added pages by history entry and first page, for visitors who come back. */
const addedTo = new Map<string, readonly ListPage[]>();

/** A list that grows page by page. `failed` is why the last page did not load. Calling again retries. */
export function useLoadMore(query: Parameters<ApiClient["artists"]["list"]>[0], first: ListPage) {
  const position = `${useLocation().key} ${first.nextCursor}`;
  const [added, setAdded] = useState(addedTo.get(position) ?? []);
  useEffect(() => void addedTo.set(position, added), [position, added]);
  const [state, setState] = useState<{ busy: boolean; failed?: string }>({ busy: false });
  const cursor = (added.at(-1) ?? first).nextCursor;
  const add = async () => {
    if (state.busy || !cursor) return;
    setState({ busy: true });
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      const page = await browserApi.artists.list({ ...query, cursor, limit: pageLength });
      setAdded((before) => [...before, page]);
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, failed: apiErrorOf(error).message });
    }
  };
  return { ...state, cursor, add, items: [first, ...added].flatMap((page) => page.items) };
}
