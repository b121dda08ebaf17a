import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { apiErrorOf } from "../../lib/api-error.ts";
import type { CardArtist } from "../artist-card.tsx";
import { type BrowseQuery, filtersOf, pageLength } from "./browse-query.ts";

export type ListPage = Readonly<{ items: readonly (CardArtist & { id: string })[]; nextCursor: string | null }>;

/** What was added, by the list's place in the history and its first page: a visitor who comes back finds it. */
const addedTo = new Map<string, readonly ListPage[]>();

/** A list that grows by a page at a time. `failed` says why the last page did not come; asking again is the retry. */
export function useLoadMore(query: BrowseQuery, first: ListPage) {
  const place = `${useLocation().key} ${first.nextCursor}`;
  const [added, setAdded] = useState(addedTo.get(place) ?? []);
  useEffect(() => void addedTo.set(place, added), [place, added]);
  const [state, setState] = useState<{ busy: boolean; failed?: string }>({ busy: false });
  const cursor = (added.at(-1) ?? first).nextCursor;
  const add = async () => {
    if (state.busy || !cursor) return;
    setState({ busy: true });
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      const asked = { ...filtersOf(query), sort: query.sort, cursor, limit: pageLength };
      const page = await browserApi.artists.list(asked);
      setAdded((before) => [...before, page]);
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, failed: apiErrorOf(error).message });
    }
  };
  return { ...state, cursor, add, items: [first, ...added].flatMap((page) => page.items) };
}
