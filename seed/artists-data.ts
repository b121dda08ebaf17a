/** The artists of the demo market: name, genre, town, years on stage, base and top rate in dollars, and their own text. */

const lines = `Electric Dreams|electronic|Austin, Texas|8|1500|3500|Two players, one wall of hand-built synthesizers, no laptop on stage. Electric Dreams write a new opening for every room, so the first ten minutes of your night have never been heard before.
The Blue Note Trio|jazz|Chicago, Illinois|14|900|2200|Piano, bass and brushes, and a book of four hundred standards they can call by number. They listen to the room first and choose the tempo second.
Luna Martinez|acoustic|San Diego, California|6|450|1100|One nylon-string guitar and a voice that fills a courtyard without a microphone. Luna sings in Spanish and English and learns one song of yours for the night.
Copper Canyon|country|Nashville, Tennessee|11|1200|2800|A five-piece with pedal steel and three-part harmony, raised on dance halls rather than stadiums. They play two-steps until the floor gives up.
Velvet Hour|soul|Memphis, Tennessee|9|1400|3000|Eight people, four of them horns, in matching suits they swear are a coincidence. Their set starts as dinner music and ends with the dinner guests on chairs.
Harbor & Pine|folk|Portland, Oregon|7|550|1300|Fiddle, banjo and two voices that grew up on the same street. They tell the story behind every song, and keep it under a minute.
Marguerite Osei|classical|Boston, Massachusetts|16|1800|3200|A concert cellist who brings Bach suites to rooms that never had a stage. Marguerite plays ceremonies, galleries and, once, a lighthouse.
Static Parade|rock|Detroit, Michigan|10|1100|2400|Loud, on time and home before curfew. Four friends from a print shop who still press their own posters between soundcheck and doors.
Neon Orchard|pop|Los Angeles, California|5|1600|3800|Bright choruses, live drums and a light show they program themselves. Neon Orchard rehearse first dances by video call and never skip the bridge.
Old Mill Blues Band|blues|St. Louis, Missouri|22|700|1500|A slow-burning quartet with a Hammond that needs three people to lift. They have held the same Tuesday residency for eleven years.
Kestrel Quartet|classical|Philadelphia, Pennsylvania|13|850|2100|Four conservatory friends who play Ravel and Radiohead from the same stands. They arrive early, tune offstage and leave nothing behind but the program.
Ada Lindqvist|folk|Minneapolis, Minnesota|12|900|1700|Ada plays the nyckelharpa, an instrument most guests meet for the first time at her shows. She always lets somebody try it afterwards.
Night Ferry|electronic|Seattle, Washington|6|450|1200|Slow house music for late rooms, mixed live from tape loops and a field recorder. The set takes its name from the last boat home.
Paper Lanterns|pop|New York, New York|8|1250|2900|Five voices, no backing tracks. Paper Lanterns turn chart songs inside out and hand them back with better harmonies.
Otis Raymond|soul|Atlanta, Georgia|19|1500|3400|A voice like warm gravel and a band that has been with him since the church basement. Otis closes every show with a song for the kitchen staff.
Iron Bloom|rock|Cleveland, Ohio|7|800|1800|Heavy riffs, gentle people. Iron Bloom carry their own stage boxes, keep the volume where the venue wants it and still shake the bar.
Sundown Social|country|Tulsa, Oklahoma|9|950|2100|Western swing for people who came to dance. Twin fiddles, a caller if you want one, and lessons for beginners in the first half hour.
Theo Marchetti|jazz|New Orleans, Louisiana|17|1300|2600|Theo sings Neapolitan songs over a second-line beat and means both. Ask for the accordion; he pretends it is in the van.
Low Tide Choir|other|Savannah, Georgia|10|1000|2000|Sixteen singers of sea shanties and spirituals who will walk your guests from the ceremony to the tables without missing a verse.
Wren & Sparrow|acoustic|Asheville, North Carolina|5|750|1400|A married duo with one microphone between them. Their quiet songs have stopped more than one noisy cocktail hour.
Delta Wire|blues|Clarksdale, Mississippi|15|650|1400|Slide guitar, harmonica and a stomp box made from a tobacco drawer. Two men, one juke joint, wherever you put them.
Mirrorball Society|pop|Miami, Florida|11|1900|4200|A nine-piece disco orchestra with strings, sequins and a conductor who roller-skates. Dance floors open in under four minutes, they have timed it.
Tomas Eide|acoustic|Duluth, Minnesota|8|500|950|Fingerstyle guitar and stories from the ore boats. Tomas plays best to a room that is small, warm and slightly late for dinner.
Glass Cathedral|electronic|Denver, Colorado|9|1450|3300|Choral synthesizers and slow strobes for big rooms with good ceilings. Glass Cathedral map the hall in the afternoon and tune the set to its echo.
The Marigolds|folk|Burlington, Vermont|6|600|1250|Three sisters, two guitars and an autoharp. They know more songs about rivers than anybody should.
Juniper Vale|country|Bozeman, Montana|7|600|1500|Songs for people who leave the gate open. Juniper Vale sings about weather, dogs and one particular ex, who comes to the shows.
Ruby Castellano|soul|Oakland, California|13|650|1800|Ruby learned to sing over a steam press in her mother's laundry, and nothing has been too loud for her since.
Sable String Ensemble|classical|Washington, D.C.|18|1700|3600|Twelve strings without a conductor, used to embassies and garden weddings alike. Their parasols match, in case of sun.
Cinder Block Kings|rock|Pittsburgh, Pennsylvania|12|1000|1900|Garage rock with a saxophone, played fast enough that nobody checks a phone. They once finished a set on battery power in a storm.
Monday Ramblers|blues|Kansas City, Missouri|20|950|1600|Kansas City shuffle from six men with day jobs, which is why they play like it is the only night off. It usually is.
Yuki Tanabe|jazz|San Francisco, California|9|650|1700|Solo piano, from Monk to video-game themes, with a gift for reading which one your guests need. Yuki tunes the house piano herself.
Foxglove|pop|Providence, Rhode Island|4|700|1500|Synth pop by three former art students who project their own films behind the songs. Small stage, big pictures.
Ghost Signal|electronic|Phoenix, Arizona|5|850|1900|Desert techno on modular gear the size of a suitcase. Ghost Signal needs a table, a socket and a dark corner.
Hollow Creek|folk|Knoxville, Tennessee|10|500|1200|Old-time string band around a single microphone, stepping in and out like a slow square dance. Bring boots.
Samuel Adeyemi|classical|Baltimore, Maryland|11|1150|2300|A baritone who moves between Schubert, Gospel and the talking drum in one recital. Samuel writes the program notes on the back of your menu.
Brass Republic|jazz|New Orleans, Louisiana|12|1600|3100|Ten horns on foot. They lead parades, surprise proposals and reluctant bosses, and they never stand still long enough to need a stage.
Starling Avenue|pop|Columbus, Ohio|6|900|2000|A cover band that rehearses like an original one. They send you the list of two hundred songs and really play the twenty you mark.
Grain & Thunder|country|Omaha, Nebraska|9|850|1750|Country rock with a drummer who used to call auctions. The between-song talk alone is worth the fee.
Ivory Street|soul|Newark, New Jersey|14|1700|3700|Philly soul with live strings on request and a front line that steps in time. Three generations of one family, and the grandmother picks the set.
Rook|rock|Tacoma, Washington|3|450|900|Bass, drums, one voice. Rook play for forty minutes without stopping and then help to stack the chairs.
Ten Cent Moon|acoustic|Santa Fe, New Mexico|8|550|1200|Guitar and cello under open skies. The duo writes a short piece for every couple and leaves the score as a present.
Bayou Lanterns|blues|Lafayette, Louisiana|16|900|1900|Swamp blues with a rubboard and two accordions that disagree beautifully. They travel with their own gumbo pot.
Carousel Nine|other|Coney Island, New York|7|450|1300|A street organ, a musical saw and a ringmaster. Carousel Nine turns corridors, queues and courtyards into the first act.
Maren Holt|folk|Madison, Wisconsin|9|1250|2200|Maren writes songs from letters that strangers send her. Give her one of yours a month ahead and hear it on the night.
Pulse Atlas|electronic|Brooklyn, New York|10|1800|4000|Drum machines, vibraphone and a map of the world's dance floors. Every hour of a Pulse Atlas night lands in another city.
Saint Clair Revue|soul|Louisville, Kentucky|15|1350|2800|A full revue with a master of ceremonies, three singers and costume changes you can set a watch by.
Cantus Nova|classical|New Haven, Connecticut|12|950|2400|Eight voices, unaccompanied, from plainchant to Pärt. They sing from the aisles, so nobody sits in the back row.
The Long Goodbyes|rock|Richmond, Virginia|8|750|1600|Rainy guitar pop for people who read the liner notes. They cover exactly one song a night and let the host choose it.
Marlow Finch|acoustic|Savannah, Georgia|4|400|850|Marlow plays porches. If you have no porch he brings a rug, a lamp and a very convincing chair.
Tin Roof Choir|acoustic|Chattanooga, Tennessee|9|650|1300|Four guitars, four voices, no leader. They sit in a circle and let the guests sit around it.
Elena Brandt|acoustic|Boulder, Colorado|7|550|1150|A harp guitar has twenty strings, and Elena uses all of them. Ceremonies are her favorite twelve minutes of the week.
Sawyer Lane|acoustic|Boise, Idaho|5|400|900|Campfire songs by somebody who can actually play. Sawyer takes requests on paper aeroplanes.
Coral Avenue|acoustic|Honolulu, Hawaii|11|700|1600|Ukulele trio with slack-key guitar, sunset by appointment. They sing the old songs in Hawaiian and explain them in one line.
Desmond Pike|acoustic|Providence, Rhode Island|13|600|1250|A one-man band in the old sense: guitar, harmonica, foot drum, good shoes. Children form an orderly queue.
The Kitchen Chairs|acoustic|Ithaca, New York|6|500|1000|They rehearsed in a kitchen and kept the furniture. Three voices, a mandolin and a habit of finishing each other's verses.
Big Lou Tarrant|blues|Chicago, Illinois|28|1100|2300|Forty years of club dates in one right hand. Big Lou plays the West Side way and will tell you which street you are hearing.
The Rent Party|blues|Harlem, New York|10|950|2000|Stride piano, washboard and a singer who works the door. A 1920s house party, with the neighbors invited.
Mae Calloway|blues|Mobile, Alabama|17|800|1650|Mae sings the blues the way other people tell the truth. One guitarist, no set list.
Blacktop Revival|blues|Dallas, Texas|8|850|1800|Texas shuffle with the windows down. Three pieces, two amplifiers, one speed.
Junior Whitlock|blues|Jackson, Mississippi|12|700|1450|Son and grandson of pianists, Junior prefers the guitar and proves why until the candles are out.
Sugar Hollow Five|blues|Greenville, South Carolina|9|900|1700|Jump blues for swing dancers, with a horn section small enough for a barn and loud enough for two.
Nine Mile Stomp|blues|Little Rock, Arkansas|6|550|1150|Resonator guitar and a tuba. It should not work, and by the second song nobody remembers why.
Ines Caballero|classical|San Antonio, Texas|10|900|1900|Classical guitar from Tárrega to tango, at a volume that lets people propose.
Aurelia Winds|classical|Ann Arbor, Michigan|8|850|1700|A wind quintet with a weakness for film music and a standing arrangement of your favorite one.
Harmon Piano Duo|classical|Cincinnati, Ohio|15|1400|2700|Twenty fingers, one keyboard, no elbows. The Harmons have been married as long as they have shared a bench.
Lyric Lane Opera|classical|Santa Barbara, California|13|2000|4500|Singing waiters who are really tenors. Dinner guests find out with the second course.
Noor Haddad|classical|Dearborn, Michigan|14|1000|2100|Noor plays the oud in the concert tradition of Aleppo and Cairo, alone or with her string quartet.
Wilder Baroque|classical|Princeton, New Jersey|11|1500|2900|Gut strings, low pitch, high spirits. They dance the dances they play, if the floor allows.
Prairie Lights|country|Fargo, North Dakota|7|550|1200|Cold-weather country: warm harmonies, a warm-up waltz and a bandleader who drives through anything.
Hattie Rose Malone|country|Lexington, Kentucky|10|900|1900|Hattie writes three-minute songs with a beginning, a middle and a bill to pay. Her band is called The Invoices.
Twin Rivers Band|country|Sacramento, California|13|1050|2200|A wedding band in boots. They read the schedule, hit the first dance to the second and keep the toasts short.
Lonesome Payphone|country|El Paso, Texas|8|700|1500|Border country with trumpets. Sad songs you can dance to in either language.
Caleb Rusk|country|Cheyenne, Wyoming|6|450|1000|Rodeo announcer by day. Caleb's songs come with a hat, a guitar and a deadpan you can hear from the chutes.
The Feed Store Four|country|Des Moines, Iowa|12|750|1400|A cappella country quartet that grew up two farms apart. They can start before the power is on.
Dusty Parlor|country|Fort Worth, Texas|9|1100|2400|Honky-tonk piano with a band attached. The piano is real, comes on its own trailer and stays in tune out of spite.
Vector Garden|electronic|San Jose, California|4|800|1800|Live-coded dance music with the code on the wall behind it. Every set is written while you watch.
Marisol Vega|electronic|Miami, Florida|9|2200|4800|Marisol plays house, cumbia and everything in between from vinyl only, and carries every crate herself.
Slow Aurora|electronic|Anchorage, Alaska|7|700|1600|Ambient sets for galleries, breathwork and the last hour of long parties. Bring cushions.
Hexagon Youth|electronic|Minneapolis, Minnesota|6|900|2000|Three drum machines and a bass clarinet. Their club nights begin at nine and end with breakfast.
Copper Wire Choir|electronic|Pittsburgh, Pennsylvania|8|1200|2500|Vocoders, hand bells and six people in boiler suits. Half concert, half factory shift.
Juno Park|electronic|Los Angeles, California|5|1300|3000|Eighties synthesizers, played rather than pressed. Juno sings too, once the floor is full.
The Weather Machine|electronic|Tucson, Arizona|10|1000|2200|Improvised electronics driven by a small weather station outside the door. Rain is the best thing that can happen.
Thistle & Rye|folk|Boston, Massachusetts|11|800|1700|Irish session band with a caller for the ceilidh. Nobody sits out the second set.
Jonah Creed|folk|Eugene, Oregon|6|400|900|Jonah walks between towns with a guitar and writes down what he hears. Your town may be in it.
Birch Bark Telegraph|folk|Duluth, Minnesota|8|650|1350|Northern string band with a singing saw, two birch-bark horns and a dry sense of humour.
The Lantern Walk|folk|Asheville, North Carolina|9|700|1500|Shape-note singing, taught to your guests in twenty minutes and sung with them in the next twenty.
Salt Marsh Sisters|folk|Charleston, South Carolina|7|600|1250|Lowcountry ballads for two voices and one concertina, learned from their great-aunt and two library tapes.
Amadou Keita|folk|Providence, Rhode Island|18|1100|2300|A kora player from a family of musicians that goes back further than the family can count. He tells you how far.
Quill & Compass|folk|Portland, Maine|5|500|1050|Songs of boats, maps and bad decisions, played by a cartographer and a boatbuilder.
The Corner Pocket|jazz|Kansas City, Missouri|16|850|1800|Hard bop in a tight quintet, for people who like the solos longer than the speeches.
Delphine Roche|jazz|Montreal, Canada|12|1200|2500|Delphine sings chanson and swing with a guitarist who never looks down. The last song is always requested and never the same.
Hot Club of Tacoma|jazz|Tacoma, Washington|8|750|1500|Two guitars, violin and bass in the manner of Paris, 1937. They fit in a lift and have played in one.
Ellis Monroe Organ Trio|jazz|Philadelphia, Pennsylvania|15|950|1900|Organ, guitar, drums. Greasy where it should be and gone before the bill arrives.
Sixteen Bridges|jazz|Pittsburgh, Pennsylvania|10|1700|3300|A full big band of teachers, nurses and one judge, who keeps the time.
Mina Sato|jazz|Honolulu, Hawaii|7|700|1600|Vibraphone at sundown. Mina's trio plays so quietly that people lower their voices to join it.
Lucky Number Seven|jazz|Las Vegas, Nevada|14|1400|3000|Seven players, seven suits, seven minutes' notice. They have replaced three bands on the night itself.
Sable & Smoke|jazz|Baltimore, Maryland|9|800|1650|A singer, a saxophone and a great deal of restraint. Cocktail hour that makes people put down the cocktail.
Candy Apple Radio|pop|Orlando, Florida|8|1100|2500|Every number one since 1985, with choreography the guests will try. Paramedics on request.
Theo & the Tall Ships|pop|San Diego, California|5|850|1900|Sunny guitar pop by five people under one metre seventy. They own the joke.
Silver Screen Social|pop|Burbank, California|12|1800|3900|Film songs with a live band and the scenes they come from. The couple may appear in one of them.
Bea Larkin|pop|Nashville, Tennessee|6|950|2100|Bea wrote two songs you know for other people, and sings them better herself.
The Afterglow Club|pop|Chicago, Illinois|9|1500|3400|Ten-piece party band with a horn line, a rapper and a bandleader who has never lost a schedule.
Kid Marmalade|pop|Austin, Texas|3|500|1100|Toy pianos, handclaps and very large choruses. Adults pretend they came for the children.
Lemon Street|pop|Tampa, Florida|7|800|1700|Four voices and a looper build the radio in front of you. No instruments were brought, none were missed.
Velour|pop|New York, New York|10|0|0|A string of sold-out rooms and one rule: every show has its own color. Tell Velour yours and the band dresses for it.
Cold Harbor|rock|Portland, Maine|9|900|1850|Sea-wall guitars and a rhythm section like a tide table. They play indoors as if the weather were coming in.
Magnet Hill|rock|Grand Rapids, Michigan|6|650|1350|Fuzz, melody and a drummer who teaches mathematics. Nothing in an odd metre unless somebody asks.
The Paper Tigers Union|rock|Brooklyn, New York|11|1300|2700|Post-punk with a brass quartet, led by a former union organizer. Load-in is a masterclass.
Velvet Anvil|rock|Birmingham, Alabama|13|1200|2500|Southern rock that can whisper. The twin leads are brothers and settle everything on stage.
Dead Letter Office|rock|Athens, Georgia|15|800|1700|They have posted a handwritten song to every venue they ever played, and some have framed it.
Wolves at the Fair|rock|Milwaukee, Wisconsin|8|750|1600|Festival rock for fields and car parks. Bring a generator; they bring the field.
Kerosene Sundays|rock|Albuquerque, New Mexico|7|600|1250|Surf guitars, a thousand miles from the sea. The reverb comes from a real spring tank.
Marquee Hearts|rock|Las Vegas, Nevada|10|0|0|Arena rock for rooms of two hundred, with confetti by arrangement. The price depends on the confetti.
Delilah Crane|soul|Detroit, Michigan|12|1250|2600|Delilah grew up three doors from a famous studio and sings as if the window were still open.
The Sunday Best|soul|Birmingham, Alabama|20|1600|3300|A gospel choir of twenty-four that has raised roofs, funds and, on one occasion, a marquee.
Hollis & the Evening Shift|soul|Cleveland, Ohio|9|1000|2150|Northern soul played by night-shift nurses. They know how to keep people on their feet.
Golden Mean|soul|Los Angeles, California|8|1400|2900|Neo-soul with a Rhodes, a flute and no hurry at all.
Marcus Bell Revival|soul|Charlotte, North Carolina|16|1450|3100|Marcus preaches between the verses, mostly about punctuality and love.
Honeydrip Horns|soul|New Orleans, Louisiana|11|1150|2450|Four horns that can join your band, replace it or walk it down the street.
Temple of Twelve|other|Albuquerque, New Mexico|14|1000|2200|A gamelan of bronze gongs that twelve people carry, tune and play together. Shoes off, please.
Pocket Mariachi|other|San Antonio, Texas|10|700|1500|Three mariachis who make the sound of nine. Serenades by the window, any window.
Bellweather Ringers|other|Cleveland, Ohio|19|650|1250|Handbells, sixty-one of them, and white gloves. Their Bohemian Rhapsody needs a long table.
The Kite Company|other|Portland, Oregon|8|850|1800|Steel pans and stilts. They play at the height of your balcony.
Odd Socks Ceilidh|other|Minneapolis, Minnesota|12|750|1600|Accordion, bagpipes and a caller with the patience of a saint. No experience needed, odd socks required.
Raga Junction|other|Edison, New Jersey|13|1200|2600|Sitar and tabla meet a jazz rhythm section, with dance for the entrance of the groom.
Thunder Wheel Drummers|other|Honolulu, Hawaii|9|1100|2400|Taiko drums that guests feel in their ribs before they hear them. Three of the drums are for the guests.
Madame Zephyr's Orchestra|other|Savannah, Georgia|6|0|0|A silent-film orchestra with its own films, projector and pianist. The price depends on the reel.`;

export type ArtistLine = {
  name: string;
  genre: string;
  location: string;
  years: number;
  baseRate: number;
  topRate: number | null;
  opening: string;
};

/** The lines of the list, with rates in cents. A base rate of 0 is "On request". */
export const artistLines: readonly ArtistLine[] = lines.split("\n").map((line) => {
  const [name = "", genre = "", location = "", years = "0", base = "0", top = "0", opening = ""] = line.split("|");
  const baseRate = Number(base) * 100;
  return {
    name,
    genre,
    location,
    years: Number(years),
    baseRate,
    topRate: baseRate ? Number(top) * 100 : null,
    opening,
  };
});
