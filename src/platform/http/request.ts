import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PlatformServices } from "../services/index.ts";
import { clientAddress } from "./client-address.ts";
import type { Actor, Context, CookieOptions } from "./context.ts";

const browserCookie = "browser";
/** Cookies with the prefix __Host- under https: no other host of the domain can set them. Scripts read `signed_in`. */
const hostCookies = ["browser", "bookings"];

/** Lets handlers read those cookies by their plain names. Cookies of earlier versions, without the prefix, are still valid. */
export function readHostCookies(request: Pick<FastifyRequest, "cookies">): void {
  for (const name of hostCookies) {
    const value = request.cookies[`__Host-${name}`];
    if (value !== undefined) request.cookies[name] = value;
  }
}

const yearSeconds = 365 * 86_400;

/** Sets a cookie with SameSite=Lax, Secure under https, and by default HttpOnly for the whole site. */
export function setCookie(
  reply: FastifyReply,
  services: Pick<PlatformServices, "config">,
  name: string,
  value: string,
  options: CookieOptions = {},
): void {
  const isHttps = services.config.publicUrl.startsWith("https:");
  reply.setCookie(isHttps && hostCookies.includes(name) ? `__Host-${name}` : name, value, {
    path: options.path ?? "/",
    httpOnly: options.httpOnly ?? true,
    sameSite: "lax",
    secure: isHttps,
    ...(options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds }),
  });
}

export function contextOf<S extends PlatformServices>(
  request: FastifyRequest,
  reply: FastifyReply,
  services: S,
  actor: Actor | null,
): Context<S> {
  let headers: Headers | undefined;
  return {
    actor,
    request: {
      id: request.id,
      ip: clientAddress(request),
      // Few handlers read them, and making them costs more than the rest of the context.
      get headers() {
        return (headers ??= new Headers(
          Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ));
      },
      cookies: request.cookies,
      browserKey: browserKey(request, reply, services),
    },
    reply: {
      setCookie: (name, value, options) => setCookie(reply, services, name, value, options),
      header: (name, value) => void reply.header(name, value),
    },
    db: services.database.db,
    transaction: async (work) => {
      const result = await services.database.transaction(work);
      services.wake();
      return result;
    },
    services,
  };
}

/** Recognises a browser by a random cookie. A write from a new browser sets one. Only its HMAC is stored. */
function browserKey(request: FastifyRequest, reply: FastifyReply, services: PlatformServices): string {
  let value = request.cookies[browserCookie];
  if (!value || !/^[\w-]{20,40}$/.test(value)) {
    if (request.method === "GET" || request.method === "HEAD") return "";
    value = randomBytes(18).toString("base64url");
    setCookie(reply, services, browserCookie, value, { maxAgeSeconds: yearSeconds });
  }
  return services.keys.hmac("browser", value).toString("base64url");
}
