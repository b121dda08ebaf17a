/** Texts of promoters and artists after a show. */

const list = (text: string): string[] =>
  text
    .split("\n")
    .map((one) => one.trim())
    .filter(Boolean);

export const reviewTexts: Readonly<Record<3 | 4 | 5, readonly string[]>> = {
  5: list(`They asked for the name of the street where we met and built the first piece around it. The floor stayed full until the venue turned the lights on.
On site early, quiet at load-in, exact on the curfew. The easiest act we have had.
My father has not danced since 1998. He danced.
We booked them for the ceremony and asked them to stay for dinner before the first song was over.
Every detail was answered the same day, and the set was better than the recordings.
The neighbors came over to ask for the name of the band, and then to stay.
Three hundred people, one small stage, and it felt like a living room.
They learned our song in a week and made it sound as if it had always been theirs.
Professional from the first call. Our technician wants to marry their stage plan.
The best money we spent on the whole weekend.
They read the room perfectly: soft until the cake, then nobody sat down again.
Our guests still write to us about it.
A power cut in the second set, and they simply carried on without. Unforgettable.
Kind to the staff, patient with the speeches, brilliant at everything else.
Second time we booked them, and we have already asked for next year.
They stayed an extra quarter of an hour for the late bus. Thank you.`),
  4: list(`Great set. Sound check ran twenty minutes over, which they told us at once.
Wonderful music, a little loud for the first course.
Exactly what we had hoped for. One more slow song would have been perfect.
The evening was lovely; parking the van took some patience.
Lively, friendly and punctual. The break was a bit long.
Very good band. We would ask for a larger stage next time, which is our fault.
Everything as agreed. The light show needs a darker room than ours.
Our guests loved it. The set list changed twice, but for the better.`),
  3: list(`Good musicians. It took until the second set for the room to warm up.
The show itself was fine; we would have liked quicker answers beforehand.
Solid evening, though the volume had to be turned down twice.`),
};

/** The demo artist's reviews of promoters. */
export const promoterReviewTexts = list(`The rider was read, the stage was dry, and dinner was warm. A pleasure.
Clear answers from the first message on, and the schedule held to the minute.
Load-in by the front door because the lift was stuck; they carried half of it themselves.
A crowd that listens, a host who says thank you. We would come again.
Everything as agreed, and the balance was there before we packed.
The sound check was cut short by the caterer, but they made it up to us.`);

export const replyTexts = list(`Thank you. The floor was yours; we only brought the records.
It was a beautiful room to play. See you next year.
Thank you for the trust, and for the pie.
Noted about the volume. Next time we bring the small speakers for dinner.`);
