export function Rating({
  rating,
  reviews,
  withLabel = false,
}: {
  rating: number;
  reviews: number;
  withLabel?: boolean;
}) {
  if (reviews === 0) return <span className="quiet">No reviews yet</span>;
  return (
    <span>
      <Star />
      <span className="sr">Rated </span>
      {rating.toFixed(1)}
      {withLabel ? <span className="quiet"> ({reviews === 1 ? "1 review" : `${reviews} reviews`})</span> : null}
    </span>
  );
}

export function Star() {
  return (
    <svg className="star" viewBox="0 0 20 20" aria-hidden>
      <path d="M10 1.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L10 15.1 4.7 18l1.1-6L1.4 7.8l6-.8z" fill="currentColor" />
    </svg>
  );
}
