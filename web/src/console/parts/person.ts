/** The parts of a name that a list knows. */
type Parts = Readonly<Record<string, string>> | undefined;

/** A person's name in one line; empty where none is known or may be seen. */
export const fullName = (person: Parts): string => [person?.given_names, person?.family_name].filter(Boolean).join(" ");
