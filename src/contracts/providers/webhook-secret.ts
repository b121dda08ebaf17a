import { createHash, timingSafeEqual } from "node:crypto";

export function isSameText(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/** Returns the JSON object of a body. Undefined for anything else, and for text that no table can store. */
export function objectIn(raw: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export const secretIn = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\x21-\x7e]{1,120}$/.test(value) ? value : undefined;

export const eventIdOf = (provider: string, ...parts: readonly unknown[]): string =>
  `${provider}_${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40)}`;
