import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRef } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type Location, usePlaces } from "../../lib/api/artist/own-profile.ts";

type Props = Readonly<{
  text: string;
  error: string | undefined;
  isMoving: boolean;
  /** The location is null if the text matches no suggestion. */
  onChange(text: string, location: Location | null): void;
}>;

export function LocationField({ text, error, isMoving, onChange }: Props) {
  const [search] = useDebouncedValue(text.trim(), 150);
  const places = usePlaces(search);
  const locations = places.data?.items ?? [];
  const failed =
    places.error && !places.isFetching ? `Towns could not be found. ${apiErrorOf(places.error).message}` : "";
  const isUnmatched = useRef(false);
  const find = (typed: string) =>
    locations.find(({ name }) => name.toLowerCase() === typed.trim().toLowerCase()) ?? null;
  const match = (typed: string) => {
    const named = find(typed);
    isUnmatched.current = !named;
    onChange(named?.name ?? typed, named);
  };
  return (
    <Autocomplete
      label="Location"
      name="location"
      autoComplete="off"
      placeholder="Town"
      description={
        isMoving
          ? "It sets your time zone. In another time zone, nights that you blocked stay on their dates, requests for them end, and the hours of shows and other blocked times change."
          : "Choose from the list. It sets your time zone."
      }
      value={text}
      error={error ?? failed}
      data={locations.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) === at)}
      // The server already filtered, including other spellings.
      filter={({ options }) => options}
      onChange={match}
      // The towns of a pasted name arrive after it.
      onBlur={() => isUnmatched.current && find(text) && match(text)}
    />
  );
}
