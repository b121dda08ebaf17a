/** Reads the provider's form encoding, `a[b][0]=c`, into nested values. */

import qs from "qs";
import { currencies, isCurrency } from "#payments/rules.ts";
import { maxAmount } from "#platform/money.rules.ts";

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

export const badParam = (param: string, message: string, code = "parameter_invalid") =>
  new ProviderError(400, "invalid_request_error", message, { code, param });

/** Parses a query string or a body. Every level is an object without a prototype. Throws a `ProviderError` (400) beyond eight levels. */
export function parseParams(text: string): Params {
  try {
    return qs.parse(text, {
      plainObjects: true,
      parseArrays: false,
      depth: maxDepth,
      strictDepth: true,
      duplicates: "last",
      parameterLimit: 5_000,
    }) as Params;
  } catch (error) {
    if (error instanceof RangeError) throw badParam("", "Parameters are nested too deeply.", "parameter_unknown");
    throw error;
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

export function requireText(params: Params, name: string, at = name): string {
  const value = optionalText(params, name);
  if (value === null) throw badParam(at, `Missing required param: ${at}.`, "parameter_missing");
  return value;
}

export function requireInteger(params: Params, name: string, at = name): number {
  const value = requireText(params, name, at);
  if (!/^\d{1,12}$/.test(value)) throw badParam(at, `Invalid integer: ${value}`, "parameter_invalid_integer");
  return Number(value);
}

export const textValues = (params: Params, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(group(params, name)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

export function requireChargeable(sum: { amount: number; currency: string }, param: string, subject: string): void {
  const { amount, currency } = sum;
  if (!isCurrency(currency)) throw badParam("currency", `Invalid currency: ${currency}.`);
  if (amount < currencies[currency].min) throw badParam(param, `${subject} is too small.`, "amount_too_small");
  if (amount > maxAmount) throw badParam(param, `${subject} is too large.`, "amount_too_large");
}
