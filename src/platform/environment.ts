/** Reads single values of the environment. For config.ts. */

/** A setting of the environment that cannot work. The message is the one line the operator reads. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export const text = (env: Environment, name: string) => env[name]?.trim() || undefined;
export const listOf = (env: Environment, name: string): string[] =>
  (text(env, name) ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
export function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (["1", "true", "on", "yes"].includes(value)) return true;
  if (["0", "false", "off", "no"].includes(value)) return false;
  throw new ConfigError(`${name} must be 0 or 1, not "${value}".`);
}

export function oneOf<T extends string>(env: Environment, name: string, allowed: readonly T[], otherwise: T): T {
  const value = text(env, name) ?? otherwise;
  const found = allowed.find((one) => one === value);
  if (!found) throw new ConfigError(`${name} must be one of ${allowed.join(", ")}, not "${value}".`);
  return found;
}

export function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
    );
  }
  return value;
}

export function wholeNumber(env: Environment, name: string, otherwise: number): number {
  const value = text(env, name) ?? String(otherwise);
  if (!/^\d{1,9}$/.test(value)) throw new ConfigError(`${name} must be a whole number, 0 or more.`);
  return Number(value);
}
