const promoters = `Hannah Whitt|Whitt & Daughters Events|Austin, Texas
Dele Okafor|Riverside Arts|Chicago, Illinois
Priya Raman|Lattice Software|San Francisco, California
Marcus Lindgren|Northlight Festival|Minneapolis, Minnesota
Grace Abernathy|Abernathy Weddings|Nashville, Tennessee
Tomás Herrera|Casa Herrera|San Antonio, Texas
Ingrid Solheim|Fjord House|Seattle, Washington
Calvin Brooks|Brooks Brothers Ballroom|New Orleans, Louisiana
Naomi Feldman|The Fox Parlor|Oakland, California
Wyatt Langley|Langley County Fair|Tulsa, Oklahoma
Amara Nwosu|Nwosu Foundation|Atlanta, Georgia
Pauline Mercier|Galerie Mercier|New York, New York
Jasper Quinn|Substation|Phoenix, Arizona
Lena Hoffmann|Harbor Hotel|Portland, Maine
Oscar Delgado|Delgado Catering|Miami, Florida
Beatrice Yoon|Market Hall 4|Denver, Colorado
Samir Patel|Patel Family Office|Edison, New Jersey
Rosalind Carter|Carter Botanical Garden|Richmond, Virginia
Henry Osborne|Osborne Vineyards|Santa Barbara, California
Keisha Monroe|Monroe Community Center|Detroit, Michigan
Viktor Andersson|Pier 9|San Diego, California
Felicity Ward|The Waterworks|Philadelphia, Pennsylvania
Julian Castro|Castro & Sons|Los Angeles, California
Miriam Goldberg|Temple Beth Am|Boston, Massachusetts
Colin McBride|McBride's Public House|Boston, Massachusetts
Sophie Tran|Tran Design|Portland, Oregon
Andre Baptiste|Second Line Society|New Orleans, Louisiana
Ellen Kowalski|Polish Hall|Cleveland, Ohio
Rafael Moreno|Plaza Moreno|Santa Fe, New Mexico
Dana Whitehorse|Mesa Arts Week|Albuquerque, New Mexico
Theodora Banks|Banks Chamber Series|Washington, D.C.
Louis Armitage|Armitage Brewery|Milwaukee, Wisconsin`;

const venues = `The Waterworks|Market Hall 4|The Fox Parlor|Substation|Old Customs House|Pier 9|Harbor Hotel, Ballroom|Union Depot|The Glasshouse|Linden Court|
Mill Street Theatre|Armory Hall|The Orangery|Canal Room|Courthouse Square|Bluebird Barn|Museum of Glass, Atrium|St. Anne's Hall|Foundry 12|Rooftop at the Ellery`;

export type PromoterLine = { name: string; organization: string; location: string };

export const promoterLines: readonly PromoterLine[] = promoters.split("\n").map((line) => {
  const [name = "", organization = "", location = ""] = line.split("|");
  return { name, organization, location };
});

export const venueNames: readonly string[] = venues.split("|").map((venue) => venue.trim());

export const specialRequests: readonly string[] = [
  "Our first dance is in 6/8. Could you play it a little slower than the recording?",
  "Load-in is through the courtyard, the lift is small.",
  "Curfew is at eleven sharp, the neighbors are kind but early.",
  "There will be speeches between the sets, about twenty minutes.",
  "Two guests use hearing loops; the house has one.",
  "Please bring the small PA, the hall echoes.",
  "We would love one song in Spanish.",
];
