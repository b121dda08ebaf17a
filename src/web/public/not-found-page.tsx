import { data } from "react-router";
import { NotFound } from "./not-found.tsx";

export const handle = { wall: true };

/** Every address that no other route knows: the page exists, the status says that nothing else does. */
export const loader = () => data(null, { status: 404 });

export const meta = () => [{ title: "Oops! Page not found" }, { name: "robots", content: "noindex" }];

export default function NotFoundPage() {
  return <NotFound />;
}
