import { data } from "react-router";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { NotFound } from "./not-found.tsx";

export const handle = { wall: true };

export const loader = () => data(null, { status: 404 });

export const meta = () => unlistedMeta("Oops! Page not found");

export default function NotFoundPage() {
  return <NotFound />;
}
