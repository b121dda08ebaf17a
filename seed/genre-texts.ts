import type { Genre } from "#artists/rules.ts";

type GenreWords = { middles: readonly string[]; specialties: readonly string[]; equipment: readonly string[] };

const list = (text: string): string[] => text.split("|").map((one) => one.trim());

/** Texts for the middle of a biography, services, and things that the artist brings or needs. */
export const genreTexts: Readonly<Record<Genre, GenreWords>> = {
  acoustic: {
    middles: list(`Most bookings are ceremonies, dinners and gardens, and nothing needs more than one socket.|
A set runs forty-five minutes, and there is always one song that nobody planned.|Quiet enough for talk, close enough for listening.`),
    specialties: list(
      "Ceremony and aisle music|Dinner sets, 2 x 45 minutes|House concerts|One song learned for you|Unplugged outdoors|Songwriting evenings",
    ),
    equipment: list(
      "Two guitars and stands|Small battery-powered PA for 80 guests|Own microphone and cables|Needs: one dry spot of 2 by 2 meters|Needs: one 10 A socket",
    ),
  },
  blues: {
    middles:
      list(`They start in the corner of the room and end in the middle of it.|The set list is a suggestion; the room decides.|
Two sets with a break suit them best, but they have been known to forget the break.`),
    specialties: list(
      "Club nights, 2 x 60 minutes|Barbecue and backyard parties|Swing-dance evenings|Festival afternoons|Late sets without a stage|Workshops on slide guitar",
    ),
    equipment: list(
      "Valve amplifiers, moderate volume|Hammond or upright piano on request|PA for up to 150 guests|Needs: stage 3 by 3 meters|Needs: two 16 A circuits",
    ),
  },
  classical: {
    middles:
      list(`Programs are agreed six weeks ahead and printed for your guests.|Scores, stands and lights come along; page turners are trained not to sneeze.|
Every recital is rehearsed in the room itself on the day.`),
    specialties: list(
      "Wedding ceremonies|Recitals of 60 minutes|Gallery openings|Film music|Christmas programs|Arrangements to order",
    ),
    equipment: list(
      "Own instruments and music stands|Stand lights, silent|Parasols for the open air|Needs: level floor, 16 to 26 °C|Needs: chairs without arms",
    ),
  },
  country: {
    middles:
      list(`Boots are optional, a floor that can take them is not.|They play three sets with short breaks and call the last waltz in time.|
The truck is loaded for barns, ballrooms and everything between.`),
    specialties: list(
      "Dance sets, 3 x 45 minutes|Line-dance caller|First dances|County fairs and rodeos|Acoustic trio for the ceremony|Barn evenings",
    ),
    equipment: list(
      "PA for up to 250 guests|Pedal steel and fiddle|Warm stage light|Needs: stage 5 by 3 meters|Needs: two 16 A circuits",
    ),
  },
  electronic: {
    middles:
      list(`They have played rooftop weddings, club residencies and the closing slot of city festivals, and they bring their own light desk.|
Everything is played live, so the last hour follows the floor and not a playlist.|Sound is kept within the house limit; the bass is felt rather than heard next door.`),
    specialties: list(
      "Live synth sets, 60 to 120 minutes|Wedding and corporate evenings|Festival closing slots|Ambient dinner sets|Custom opening piece|Silent-disco mix",
    ),
    equipment: list(
      "Two analog synthesizers|Drum machine and sampler|PA for up to 300 guests|Four moving heads, haze|Needs: two 16 A circuits|Needs: stage 4 by 3 meters",
    ),
  },
  folk: {
    middles:
      list(`The songs are old, the arrangements are not.|Everything works without electricity, and most of it works better.|
They like rooms where the children may sit in front.`),
    specialties: list(
      "House concerts|Ceilidh with caller|Ceremony music|Storytelling sets|Village festivals|Sing-along evenings",
    ),
    equipment: list(
      "Fiddle, banjo, guitar, concertina|One good microphone|PA for up to 100 guests|Needs: chairs without arms|Needs: one 10 A socket",
    ),
  },
  jazz: {
    middles:
      list(`Requests are welcome, and the better they are the longer they get.|They read a room the way others read charts.|
The band plays from cocktail hour to last orders and changes gear in between.`),
    specialties: list(
      "Cocktail hour|Dinner and dance, 3 x 45 minutes|Club concerts|New Orleans parade|Standards on request|Late-night trio",
    ),
    equipment: list(
      "Upright bass and small drum kit|Digital piano if there is none|PA for up to 150 guests|Needs: stage 4 by 3 meters|Needs: one 16 A circuit",
    ),
  },
  pop: {
    middles:
      list(`Two hundred songs are ready, and five of yours are learned for the night.|Breaks are short and never silent.|
The sound engineer travels with the band and is the calmest person in the building.`),
    specialties: list(
      "Party sets, 3 x 50 minutes|First dances|Corporate galas|Festival main stages|Song requests in advance|DJ between the sets",
    ),
    equipment: list(
      "PA for up to 400 guests|LED light with own desk|Wireless microphones for speeches|Needs: stage 6 by 4 meters|Needs: three 16 A circuits",
    ),
  },
  rock: {
    middles:
      list(`They are loud when it counts and at ninety-five decibels when the house says so.|Soundcheck takes twenty minutes, and they mean twenty.|
Covers are chosen with care and played as if they had been written that morning.`),
    specialties: list(
      "Club shows, 60 to 90 minutes|Festival slots|Anniversary parties|Covers by agreement|Support for touring acts|Short sets of 40 minutes",
    ),
    equipment: list(
      "Full backline|Own stage boxes and monitors|PA for up to 250 guests|Needs: stage 5 by 4 meters|Needs: three 16 A circuits",
    ),
  },
  soul: {
    middles:
      list(`The horns walk in from the back, and from then on nobody sits.|They dress for the room and play for the last row.|
Ballads are rationed, dancing is not.`),
    specialties: list(
      "Dance sets, 3 x 45 minutes|Gala evenings|Gospel ceremony|Horn section for hire|First dances|Revue with host",
    ),
    equipment: list(
      "PA for up to 350 guests|Rhodes and Hammond|Horn section microphones|Needs: stage 6 by 4 meters|Needs: three 16 A circuits",
    ),
  },
  other: {
    middles:
      list(`Nobody has ever booked them for the second time without laughing about the first.|They work in rain, in lifts and once in a ferry queue.|
Tell them where your guests will be standing; they will do the rest.`),
    specialties: list(
      "Walk-about performance|Ceremony entrances|Street festivals|Interactive sets|Children's hour|Surprise appearances",
    ),
    equipment: list(
      "Everything fits into one van|Costumes for every season|Own battery sound|Needs: changing room with a mirror|Needs: one hour on site before doors",
    ),
  },
};

export const endings: readonly string[] =
  list(`Travel within two hundred miles is part of the fee.|A call before the show is part of the service.|
They answer the same day and arrive an hour early.|References from this year's shows stand below.|The contract, the curfew and the neighbors are respected.|
Ask for the winter program.|They have never missed a downbeat or a train.|Dietary needs: cake.|They answer every message themselves.|They play the night as it comes.`);

export const captions: readonly string[] =
  list(`Live at the Waterworks|Late set, Market Hall 4|Rooftop in June|The Fox Parlor, second night|Soundcheck|Harvest Fair|
Substation, encore|Garden wedding|On the road|Winter program|Old Customs House|First dance`);
