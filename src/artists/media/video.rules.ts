const maxAddressLength = 500;

export const isWebAddress = (text: string): boolean =>
  text.length <= maxAddressLength &&
  !/["'()\\\s<>]/.test(text) &&
  URL.canParse(text) &&
  new URL(text).protocol === "https:" &&
  new URL(text).username === "" &&
  new URL(text).password === "";

/** Returns the address of a video: https as it is, or of the id of a YouTube (11 characters) or Vimeo video (digits). */
export function videoAddress(text: string): string | undefined {
  if (/^\d{6,10}$/.test(text)) return `https://vimeo.com/${text}`;
  if (/^[\w-]{11}$/.test(text)) return `https://www.youtube.com/watch?v=${text}`;
  return isWebAddress(text) ? text : undefined;
}

export const videoAddressMessage = "Enter an address that starts with https://, or the ID of a YouTube or Vimeo video.";

export function videoEmbedAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname, searchParams } = new URL(address);
  const host = hostname.replace(/^(www|m)\./, "");
  if (host === "youtube.com" || host === "youtu.be") {
    const id = host === "youtu.be" ? pathname.slice(1) : (searchParams.get("v") ?? pathname.split("/").at(-1));
    return id && /^[\w-]{11}$/.test(id) ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1` : undefined;
  }
  const vimeo = host === "vimeo.com" ? /^\/(\d{6,10})$/.exec(pathname)?.[1] : undefined;
  return vimeo ? `https://player.vimeo.com/video/${vimeo}?autoplay=1&dnt=1` : undefined;
}
