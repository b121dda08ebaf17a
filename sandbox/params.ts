/** Reads the provider's form encoding, `a[b][0]=c`, into nested values. */

export type Param = string | Param[] | { [name: string]: Param };
export type Params = { [name: string]: Param };

const maxDepth = 8;

export class ProviderError extends Error {
  readonly status: number;
  readonly body: { error: { type: string; message: string; code?: string; param?: string } };
  constructor(status: number, type: string, message: string, more: { code?: string; param?: string } = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type, message, ...more } };
  }
}

export const badParam = (param: string, message: string, code = "parameter_invalid_empty") =>
  new ProviderError(400, "invalid_request_error", message, { code, param });

/** Parses a query string or a body. Names never reach a prototype: every level is a bare object. */
export function parseParams(text: string): Params {
  const root: Params = Object.create(null) as Params;
  for (const [name, value] of new URLSearchParams(text)) setParam(root, name.replaceAll("]", "").split("["), value);
  return root;
}

function setParam(root: Params, path: string[], value: string): void {
  if (path.length > maxDepth) throw badParam(path[0] ?? "", "Parameters are nested too deeply.", "parameter_unknown");
  let level = root;
  for (const [index, name] of path.entries()) {
    if (index === path.length - 1) level[name] = value;
    else {
      const below = level[name];
      const next = typeof below === "object" && !Array.isArray(below) ? below : (Object.create(null) as Params);
      level[name] = next;
      level = next;
    }
  }
}

export const group = (params: Params, name: string): Params => {
  const value = params[name];
  return typeof value === "object" && !Array.isArray(value) ? value : {};
};

export const items = (params: Params, name: string): Param[] => Object.values(group(params, name));

export const optionalText = (params: Params, name: string): string | null => {
  const value = params[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export function must(params: Params, name: string, at = name): string {
  const value = optionalText(params, name);
  if (value === null) throw badParam(at, `Missing required param: ${at}.`, "parameter_missing");
  return value;
}

export function whole(params: Params, name: string, at = name): number {
  const value = must(params, name, at);
  if (!/^\d{1,12}$/.test(value)) throw badParam(at, `Invalid integer: ${value}`, "parameter_invalid_integer");
  return Number(value);
}

export const textValues = (params: Params, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(group(params, name)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
