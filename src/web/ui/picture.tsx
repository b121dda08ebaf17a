import { type ComponentProps, useEffect, useRef } from "react";
import { type PictureImage, pictureSources } from "#artists/media.rules.ts";

type Props = Omit<ComponentProps<"img">, "src" | "srcSet" | "ref"> &
  Readonly<{
    address: string;
    image: PictureImage | null | undefined;
    sizes: string;
    alt: string;
  }>;

export function Picture({ address, image, sizes, alt, ...more }: Props) {
  const { avifSrcSet, srcSet, ...known } = pictureSources(address, image ?? null);
  const element = useRef<HTMLImageElement>(null);
  const thumbhash = image?.thumbhash;
  useEffect(() => {
    const shown = element.current;
    if (thumbhash && shown && !shown.complete) return showPreview(shown, thumbhash);
    return undefined;
  }, [thumbhash, address]);
  const picture = <img {...known} {...more} {...(srcSet ? { srcSet, sizes } : {})} alt={alt} ref={element} />;
  if (!avifSrcSet) return picture;
  return (
    <picture>
      <source type="image/avif" srcSet={avifSrcSet} sizes={sizes} />
      {picture}
    </picture>
  );
}

type Pictured = Readonly<{ picture_url: string; photo_image: PictureImage | null }>;

export const ArtistPicture = ({
  artist,
  ...more
}: Omit<Props, "address" | "image"> & Readonly<{ artist: Pictured }>) => (
  <Picture address={artist.picture_url} image={artist.photo_image} width={600} height={800} {...more} />
);

function showPreview(shown: HTMLImageElement, thumbhash: string): () => void {
  let done = false;
  const end = () => {
    done = true;
    shown.style.background = "";
  };
  shown.addEventListener("load", end, { once: true });
  void import("thumbhash").then(({ thumbHashToDataURL }) => {
    if (done) return;
    const bytes = Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0));
    shown.style.background = `url(${thumbHashToDataURL(bytes)}) center / cover`;
  });
  return () => {
    shown.removeEventListener("load", end);
    end();
  };
}
