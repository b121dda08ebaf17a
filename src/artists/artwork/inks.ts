export type Ink = { name: string; ground: string; letters: string; a: string; b: string; c: string };

export const inks: readonly Ink[] = [
  { name: "straw", ground: "#f0cf6b", letters: "#22201c", a: "#dd4f2b", b: "#f9efd2", c: "#1f6f6c" },
  { name: "congo", ground: "#1e1b4d", letters: "#f4ead2", a: "#e8604c", b: "#5566d6", c: "#f2b441" },
  { name: "salmon", ground: "#f3b59b", letters: "#2b1522", a: "#c9352f", b: "#fae3d0", c: "#6d2a4d" },
  { name: "surprise", ground: "#efb4c6", letters: "#2c1636", a: "#c42d52", b: "#fbe8df", c: "#51378a" },
  { name: "baize", ground: "#0f4a3c", letters: "#f3e7c9", a: "#e9a03b", b: "#3f8a6c", c: "#e0593f" },
  { name: "steel", ground: "#c6d5dd", letters: "#14232e", a: "#2b6391", b: "#f4f0e6", c: "#e0603a" },
  { name: "oxblood", ground: "#6b1422", letters: "#f6dfc0", a: "#e5763c", b: "#a12c3b", c: "#f1c27d" },
  { name: "news", ground: "#e8e3d7", letters: "#17161a", a: "#29282d", b: "#c5bdab", c: "#d63c2b" },
  { name: "midnight", ground: "#12161f", letters: "#f0e9d8", a: "#e9c05f", b: "#3a546f", c: "#c4563b" },
  { name: "mint", ground: "#b9dccb", letters: "#12302c", a: "#1b7767", b: "#f8f4e2", c: "#ee6f47" },
  { name: "ember", ground: "#e6622c", letters: "#28110b", a: "#fbdca5", b: "#b23a15", c: "#1d3a57" },
  { name: "lilac", ground: "#cdc3ea", letters: "#231a43", a: "#654bc0", b: "#f7f1fa", c: "#e6833a" },
  { name: "moss", ground: "#b6b068", letters: "#23240f", a: "#575f1d", b: "#f0ebc9", c: "#b2422a" },
  { name: "noon", ground: "#96c5e2", letters: "#1a2340", a: "#c24734", b: "#f7f0e1", c: "#265a9d" },
  { name: "cherry", ground: "#1b1118", letters: "#f7dcd6", a: "#da4468", b: "#5b2642", c: "#f0a35e" },
  { name: "dusk", ground: "#16505c", letters: "#f5ead7", a: "#f0a35e", b: "#2d8591", c: "#ee6a58" },
  { name: "butter", ground: "#f5e6ae", letters: "#201e57", a: "#4644bd", b: "#ee9648", c: "#d74b4b" },
  { name: "cobalt", ground: "#2443b4", letters: "#fdf1d8", a: "#f2b92f", b: "#6c8cf0", c: "#f0593e" },
  { name: "clay", ground: "#cb8867", letters: "#2a1512", a: "#873728", b: "#f2dbc4", c: "#2b474d" },
  { name: "playbill", ground: "#f5f0e6", letters: "#1a1a1f", a: "#de342a", b: "#f3c5b9", c: "#2d2d36" },
  { name: "violet", ground: "#3b1f5c", letters: "#f7e9d7", a: "#e879a6", b: "#6b45a0", c: "#f3b54a" },
  { name: "fern", ground: "#dfe5c3", letters: "#1e2b17", a: "#4d7a3a", b: "#f7f6e6", c: "#e2582f" },
];

export function isDark(colour: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.18;
}
