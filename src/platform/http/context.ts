import type { Db, Tx } from "../db/index.ts";
import { Problem } from "../errors.ts";
import type { PlatformServices } from "../services/index.ts";

export type Actor = Readonly<{
  userId: string;
  sessionId: string;
  role: "admin" | "artist" | "promoter";
  email: string;
  emailVerified: boolean;
  name: string;
  aal: "aal1" | "aal2";
  /** True if the session's newest authentication is at most five minutes old. */
  isRecent: boolean;
}>;

export type CookieOptions = { httpOnly?: boolean; path?: string; maxAgeSeconds?: number };

export type Context<S extends PlatformServices = PlatformServices> = {
  readonly actor: Actor | null;
  readonly request: Readonly<{
    id: string;
    /** The caller's address, empty if unknown. Proxy headers count only from a trusted proxy. */
    ip: string;
    headers: Headers;
    cookies: Readonly<Record<string, string | undefined>>;
    /** A fingerprint of this browser, from its own cookie. Empty for a caller without cookies. */
    browserKey: string;
  }>;
  readonly reply: {
    setCookie(name: string, value: string, options?: CookieOptions): void;
    header(name: string, value: string): void;
  };
  readonly db: Db;
  readonly publicDb?: Db | undefined;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  readonly services: S;
};

/** Returns the signed-in user. Throws the error code that auth clients know. */
export function requireActor(context: Pick<Context, "actor">): Actor {
  if (context.actor) return context.actor;
  throw new Problem("unauthenticated", "Please sign in first.", { code: "session_missing" });
}
