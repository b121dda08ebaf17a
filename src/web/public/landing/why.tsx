import styles from "./landing.module.css";

export function WhyChooseUs() {
  return (
    <section className={`${styles.band} wrap`} aria-labelledby="why">
      <h2 id="why">Why Choose Us</h2>
      <ul className={styles.why}>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <path d="M0 52V26a26 26 0 0 1 52 0v26z" fill="var(--accent)" />
            <path d="M12 52V28a14 14 0 0 1 28 0v24z" fill="var(--stock)" />
            <path d="M20 52V30a6 6 0 0 1 12 0v22z" fill="var(--lamp)" />
          </svg>
          <h3>Vetted Artists</h3>
          <p className="quiet">We check every artist by hand. Only promoters who booked here can write reviews.</p>
        </li>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <path d="M0 0h24v24H0zM28 28h24v24H28z" fill="var(--accent)" />
            <circle cx="40" cy="12" r="12" fill="var(--lamp)" />
            <path d="M0 28h24a24 24 0 0 1-24 24z" fill="var(--ink)" />
          </svg>
          <h3>Easy Booking</h3>
          <p className="quiet">
            One form, one deposit, one contract. It reaches you within 24 hours, and nobody else can book the time that
            you have paid for.
          </p>
        </li>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <circle cx="26" cy="26" r="26" fill="var(--ink)" />
            <path d="M26 0a26 26 0 0 1 0 52z" fill="var(--lamp)" />
            <circle cx="26" cy="26" r="9" fill="var(--accent)" />
          </svg>
          <h3>Quality Guaranteed</h3>
          <p className="quiet">We hold the fee until after the show. If the artist cancels, you get a full refund.</p>
        </li>
      </ul>
    </section>
  );
}
