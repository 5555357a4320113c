// @vitest-environment node
import { describe, expect, it } from "vitest";
import { matching, named, nameOf, regionsOf } from "../src/applicant/country.ts";

const issuer = (code: string, region: string, name: string, accepted = true) => ({ code, region, name, accepted });
const some = [
  issuer("CIV", "CI", "Côte d'Ivoire"),
  issuer("FRA", "FR", "France", false),
  issuer("D", "DE", "Germany"),
  issuer("RKS", "XK", "Kosovo"),
  issuer("UKR", "UA", "Ukraine"),
  issuer("IRQ", "IQ", "Iraq", false),
  issuer("FRO", "FO", "Faroe Islands", false),
  issuer("MDA", "MD", "Moldova", false),
  issuer("GBR", "GB", "United Kingdom"),
  issuer("UTO", "", "Utopia"),
];
const found = (text: string, locale = "en", languages = ["en-US"]) =>
  matching(named(some, locale, languages), text).map(({ name }) => name);

describe("the name of a country", () => {
  it.each([
    ["de", "Deutschland"],
    ["ar", "ألمانيا"],
    ["zh-Hans", "德国"],
    ["uk", "Німеччина"],
  ])("comes from the browser in %s", (locale, name) => {
    expect(nameOf({ region: "DE", name: "Germany" }, locale)).toBe(name);
  });
  it("is English where the browser has none", () => {
    expect(nameOf({ region: "", name: "Utopia" }, "de")).toBe("Utopia");
    expect(nameOf({ region: "QO!", name: "Nowhere" }, "de")).toBe("Nowhere");
  });
});

describe("looking for a country", () => {
  it("begins with those that are accepted, the likely ones first", () => {
    expect(found("", "de", ["de-DE", "uk"]).slice(0, 2)).toEqual(["Deutschland", "Ukraine"]);
    expect(found("")).not.toContain("France");
    expect(found("", "en", ["fr-FR"])[0]).toBe("Côte d’Ivoire"); // France is likely, and of no use
  });
  it("ends with organisations, which the browser has no name for", () => {
    const bank = issuer("XBA", "", "African Development Bank");
    const names = matching(named([bank, ...some], "en", ["en-US"]), "").map(({ name }) => name);
    expect(names.slice(-2)).toEqual(["African Development Bank", "Utopia"]);
    expect(names.slice(0, -2)).toContain("Ukraine");
  });
  it.each([
    ["fra", "en", ["France"]],
    ["COTE D IV", "en", ["Côte d’Ivoire"]],
    ["cote divoire", "en", ["Côte d’Ivoire"]],
    ["kingdom", "en", ["United Kingdom"]],
    ["gbr", "en", ["United Kingdom"]],
    ["germany", "de", ["Deutschland"]],
    ["німе", "uk", ["Німеччина"]],
    ["المان", "ar", ["ألمانيا"]],
    ["德", "zh-Hans", ["德国"]],
    ["(.*", "en", ["Côte d’Ivoire", "Germany", "Kosovo", "Ukraine", "United Kingdom", "Utopia"]],
    ["zzz", "en", []],
    ["ırak", "tr", ["Irak"]],
    ["IRAK", "tr", ["Irak"]],
    ["İRAK", "tr", ["Irak"]],
    ["moldawia", "pl", ["Mołdawia"]],
    ["faeroerne", "da", ["Færøerne"]],
    ["duc", "vi", ["Đức"]],
  ])("finds %s in %s", (text, locale, names) => {
    expect(found(text, locale)).toEqual(names);
  });
});

describe("where somebody is from", () => {
  it("is what their languages say, each region once", () => {
    expect(regionsOf(["de-CH", "fr", "de", "not a tag", "en-GB"])).toEqual(["CH", "FR", "DE", "GB"]);
  });
});
