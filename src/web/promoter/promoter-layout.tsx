import { Area } from "../areas/area.tsx";

/** /promoter and below: for promoters. */
export default function PromoterLayout() {
  return <Area roles={["promoter"]} />;
}
