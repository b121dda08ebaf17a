import { data } from "react-router";
import { NotFound } from "./not-found.tsx";

export const handle = { wall: true };

export const loader = () => data(null, { status: 404 });

export const meta = () => [{ title: "Oops! Page not found" }, { name: "robots", content: "noindex" }];

export default function NotFoundPage() {
  return <NotFound />;
}
