import { describe, expect, test } from "vitest";
import { publicShowOf } from "./index.ts";

const show = (place: string, event_type = "Festival") =>
  publicShowOf({ event_date: "2027-02-13", event_type, venue_name: place, venue_address: place });

describe("publicShowOf", () => {
  test.each([
    ["The Fox Parlor, Oakland, California", "The Fox Parlor", "Oakland"],
    ["Stubb's, Austin", "Stubb's", "Austin"],
    ["Austin, Texas", null, "Austin"],
    ["Austin", null, "Austin"],
    ["12 Red River St, Austin, Texas", null, "Austin"],
    ["Red River Street, Austin, Texas", null, "Austin"],
    ["Lindenstraße, Berlin", null, "Berlin"],
    ["Lindenstr., Berlin", null, "Berlin"],
    ["Whitt family, Austin, Texas", null, "Austin"],
    ["Whitt residence, Austin, Texas", null, "Austin"],
    ["Our garden, Austin, Texas", null, "Austin"],
    ["Fox Parlor 3 Main Rd, Austin", null, "Austin"],
    ["Hauptstr., Berlin", null, "Berlin"],
    ["Anna's loft, Austin", null, "Austin"],
    ["Anna's place, Austin", null, "Austin"],
    ["c/o Anna Whitt, Austin", null, "Austin"],
    ["anna@whitt.example, Austin", null, "Austin"],
    ["The Fox Parlor (call Anna Whitt at the gate), Oakland", null, "Oakland"],
    ["austin, Texas", null, "Austin"],
    ["青山１−２−３, Tokyo", null, "Tokyo"],
    ["Fox Parlor ٥١٢, Austin", null, "Austin"],
    ["anna＠whitt.example, Austin", null, "Austin"],
    ["Ｏｕｒ ｇａｒｄｅｎ, Austin", null, "Austin"],
    ["anna at whitt.example, Austin", null, "Austin"],
  ])("shows of %s the venue %s and the town %s, never the street, a home or a contact", (place, venue, town) => {
    expect(show(place)).toEqual({ date: "2027-02-13", town, venue });
  });

  test.each(["Wedding", "Private party", "Company party", "60th birthday", "Other", "Office party", "Funeral"])(
    "returns null for %s",
    (type) => {
      expect(show("The Fox Parlor, Oakland, California", type)).toBeNull();
    },
  );

  test("returns null in an unknown town", () => {
    expect(show("The barn behind the mill")).toBeNull();
  });
});
