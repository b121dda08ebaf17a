import { eventKinds } from "#artists/nights/event-kinds.rules.ts";
import { isGenre } from "#artists/rules.ts";
import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { cleanText, readTown } from "../searched-date.ts";
import { type BrowseQuery, priceBands, sortsOf } from "./browse-query.ts";

const maxSearchLength = 200;

/** Returns an address's filters. Omits invalid values, so every address works. Server only, because it loads the parser of typed dates. */
export function readBrowse(params: URLSearchParams): BrowseQuery {
  const [genre, sort, free, price] = [
    params.get("genre") ?? "",
    params.get("sort"),
    params.get("free"),
    params.get("price"),
  ];
  const night = readTypedDay(params.get("night") ?? "");
  const town = readTown(params);
  const sorts = sortsOf({ night, town });
  return {
    search: cleanText(params.get("search") ?? "", maxSearchLength),
    genre: isGenre(genre) ? genre : undefined,
    free: readTypedDay(free ?? ""),
    price: priceBands.find((band) => band.value === price)?.value,
    sort: sorts.find((one) => one === sort) ?? sorts[0] ?? "booked",
    cursor: params.get("cursor") || undefined,
    night,
    town,
    kind: eventKinds.find((one) => one === params.get("kind")),
  };
}
