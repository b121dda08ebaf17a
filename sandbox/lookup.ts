import type { Currency } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { group, optionalText, type Params, ProviderError, requireInteger } from "./params.ts";
import { find, type Kind, type Kinds, list } from "./store.ts";

export type CallRequest = Readonly<{
  tx: Tx;
  params: Params;
  id: string;
  now: number;
  publicUrl: string;
  received: readonly Currency[];
}>;
export type Call = (request: CallRequest) => Promise<object>;
export type Route = { method: string; path: RegExp; answer: Call };

/** The response to a declined payment: an error status, but the stored changes stay, and a repeat under the same key returns it again. */
export class BankDecline {
  readonly body: { error: object };
  constructor(error: object) {
    this.body = { error };
  }
}

export async function requireObject<K extends Kind>(tx: Tx, kind: K, id: string, param: string): Promise<Kinds[K]> {
  const found = await find(tx, kind, id);
  if (found) return found;
  const more = { code: "resource_missing", param };
  throw new ProviderError(404, "invalid_request_error", `No such ${kind}: '${id}'`, more);
}

/** Declares a call by its method and address: "POST /v1/refunds", "GET /v1/charges/:id". */
export function route(address: string, answer: Call): Route {
  const [method = "", path = ""] = address.split(" ");
  return { method, path: new RegExp(`^${path.replace(":id", String.raw`(\w+)`)}$`), answer };
}

/** Declares the call that returns one object. `param`: its name in the error if there is none. */
export const retrieve = (url: string, kind: Kind, param: string = kind): Route =>
  route(`GET ${url}/:id`, ({ tx, id }) => requireObject(tx, kind, id, param));

type Listed<K extends Kind> = { present?: (body: Kinds[K]) => object; filter?: string };

/** Declares the call that lists objects. `filter`: the parameter and field that filters the list. */
export const listOf = <K extends Kind>(url: string, kind: K, { present = (body) => body, filter }: Listed<K>): Route =>
  route(`GET ${url}`, async ({ tx, params }) => {
    const created = group(params, "created");
    const limit =
      optionalText(params, "limit") === null ? 10 : Math.min(100, Math.max(1, requireInteger(params, "limit")));
    const bound = (name: string) =>
      optionalText(created, name) === null ? null : requireInteger(created, name, `created[${name}]`);
    const rows = await list(tx, kind, {
      from: bound("gte"),
      to: bound("lte"),
      after: optionalText(params, "starting_after"),
      limit: limit + 1,
      equal: filter ? { [filter]: optionalText(params, filter) } : {},
    });
    return { object: "list", url, has_more: rows.length > limit, data: rows.slice(0, limit).map(present) };
  });

export function address(text: string, param: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new ProviderError(400, "invalid_request_error", "Not a valid URL", { code: "url_invalid", param });
}
