import { eveningKinds } from "#artists/night.rules.ts";
import { isGenre } from "#artists/rules.ts";
import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { type BrowseQuery, maxTownLength, priceBands, sortsOf } from "./browse-query.ts";

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
  const town = cleanSearch(params.get("town") ?? "").slice(0, maxTownLength);
  const sorts = sortsOf({ night, town });
  return {
    search: cleanSearch(params.get("search") ?? ""),
    genre: isGenre(genre) ? genre : undefined,
    free: readTypedDay(free ?? ""),
    price: priceBands.find((band) => band.value === price)?.value,
    sort: sorts.find((one) => one === sort) ?? sorts[0] ?? "booked",
    cursor: params.get("cursor") || undefined,
    night,
    town,
    kind: eveningKinds.find((one) => one === params.get("kind")),
  };
}

const cleanSearch = (text: string) => text.replaceAll("\0", "").toWellFormed().slice(0, maxSearchLength);
