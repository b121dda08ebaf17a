/** A drawn signature: lines in a box of 600 by 200, as SVG path data with the commands M and L only. */

export const drawingBox = { width: 600, height: 200 } as const;

const point = /([ML])(\d{1,3}(?:\.\d)?),(\d{1,3}(?:\.\d)?)/g;

export function isDrawing(path: string): boolean {
  if (!/^(?:[ML]\d{1,3}(?:\.\d)?,\d{1,3}(?:\.\d)?)+$/.test(path) || !path.startsWith("M") || !path.includes("L"))
    return false;
  return [...path.matchAll(point)].every(
    ([, , x, y]) => Number(x) <= drawingBox.width && Number(y) <= drawingBox.height,
  );
}

export function drawingOf(strokes: readonly (readonly (readonly [number, number])[])[]): string {
  const at = (value: number, max: number) => String(Math.round(Math.min(Math.max(value, 0), max) * 10) / 10);
  return strokes
    .filter((stroke) => stroke.length > 1)
    .map((stroke) =>
      stroke
        .map(([x, y], index) => `${index === 0 ? "M" : "L"}${at(x, drawingBox.width)},${at(y, drawingBox.height)}`)
        .join(""),
    )
    .join("");
}
