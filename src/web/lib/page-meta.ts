import type { MetaDescriptor } from "react-router";

type About = {
  title: string;
  description: string;
  url?: string | undefined;
  image?: string | undefined;
  type?: "website" | "profile";
  jsonLd?: Record<string, unknown>;
};

export function pageMeta({ title, description, url, image, type = "website", jsonLd }: About): MetaDescriptor[] {
  return [
    { title },
    { name: "description", content: description },
    { property: "og:site_name", content: "Stagedoor" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: type },
    ...(url ? [{ property: "og:url", content: url }, { tagName: "link", rel: "canonical", href: url } as const] : []),
    ...(image ? [{ property: "og:image", content: image }] : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    ...(jsonLd ? [{ "script:ld+json": { "@context": "https://schema.org", ...jsonLd } } as MetaDescriptor] : []),
  ];
}

export function shortText(text: string, max = 160): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), max / 2)).trimEnd()}…`;
}
