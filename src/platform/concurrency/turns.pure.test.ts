import { expect, test } from "vitest";
import { makeTurns } from "./turns.ts";

test("runs two tasks at a time, the others in their order, also after a failure", async () => {
  const inTurn = makeTurns(2);
  const begun: string[] = [];
  const start = (name: string) => {
    const task = Promise.withResolvers<string>();
    const done = inTurn(() => {
      begun.push(name);
      return task.promise;
    });
    return { ...task, done };
  };
  const [first, second, third, fourth] = ["first", "second", "third", "fourth"].map(start);
  expect(begun).toEqual(["first", "second"]);
  second?.reject(new Error("failed"));
  await expect(second?.done).rejects.toThrow("failed");
  expect(begun).toEqual(["first", "second", "third"]);
  first?.resolve("1");
  expect(await first?.done).toBe("1");
  expect(begun).toEqual(["first", "second", "third", "fourth"]);
  third?.resolve("3");
  fourth?.resolve("4");
  expect(await Promise.all([third?.done, fourth?.done])).toEqual(["3", "4"]);
  const [fifth, sixth] = [start("fifth"), start("sixth")];
  expect(begun.slice(-2)).toEqual(["fifth", "sixth"]);
  fifth.resolve("5");
  sixth.resolve("6");
  expect(await Promise.all([fifth.done, sixth.done])).toEqual(["5", "6"]);
});
