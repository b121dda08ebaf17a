import type { ComponentProps } from "react";

/** `mt` and `mb` are the margins above and below. All sizes are CSS lengths. */
type Props = ComponentProps<"div"> & Readonly<{ height?: string; width?: string; mt?: string; mb?: string }>;

/** A gray shape in place of content that is loading. A list has eighty, so it is a plain element. */
export const Skeleton = ({ height, width, mt, mb, className = "", ...more }: Props) => (
  <div {...more} className={`skeleton ${className}`} style={{ height, width, marginTop: mt, marginBottom: mb }} />
);

export const LoadingStatus = ({ what }: Readonly<{ what?: string }>) => (
  <p className="sr" role="status">
    {what ? `Loading ${what}` : "Loading"}
  </p>
);
