// @vitest-environment node
import { describe, expect, it } from "vitest";
import { bodyOf, mostPeople, nobody, peopleOf, rowsOf } from "../src/console/sessions/people.ts";

describe("a list of people", () => {
  it("is read whatever sets its cells apart", () => {
    const want = [
      ["reference", "family_name"],
      ["order-1", "Müller"],
    ];
    for (const apart of [",", ";", "\t"])
      expect(rowsOf(`\uFEFFreference${apart}family_name\r\norder-1${apart} Müller \r\n\r\n`)).toEqual(want);
  });

  it("has quoted cells with commas, quotes and lines in them", () => {
    expect(rowsOf('a,b\n"one, ""two""","three\nfour"')).toEqual([
      ["a", "b"],
      ['one, "two"', "three\nfour"],
    ]);
    expect(rowsOf('a\n"no end')).toBeNull();
  });

  it("is people by the names of its columns", () => {
    expect(peopleOf("Reference,First name,Last name,Language\norder-1,Ada,Doe,de\norder-2,Bo,,")).toEqual({
      people: [
        { ...nobody, reference: "order-1", given_names: "Ada", family_name: "Doe", locale: "de" },
        { ...nobody, reference: "order-2", given_names: "Bo" },
      ],
    });
  });

  it("is refused where something of it would be left out", () => {
    expect(peopleOf("")).toEqual({ wrong: "empty", about: "" });
    expect(peopleOf("reference\n")).toEqual({ wrong: "empty", about: "" });
    expect(peopleOf("reference,iban\nx,y")).toEqual({ wrong: "column", about: "iban" });
    expect(peopleOf("reference\nx,y")).toEqual({ wrong: "unnamed", about: "2" });
    expect(peopleOf(`reference\n${"x\n".repeat(mostPeople + 1)}`)).toEqual({ wrong: "many", about: "201" });
    expect(peopleOf('reference\n"x')).toEqual({ wrong: "quote", about: "" });
  });

  it("asks for nothing that was not said", () => {
    expect(bodyOf("live", nobody)).toEqual({ mode: "live" });
    expect(
      bodyOf("live", { ...nobody, reference: " a ", locale: "de", workflow: "strict", family_name: "Doe" }),
    ).toEqual({
      mode: "live",
      external_reference: "a",
      locale: "de",
      workflow: "strict",
      claimed: { family_name: "Doe" },
    });
  });
});
