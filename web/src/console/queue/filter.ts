import { country, flag, oneOf, type SearchOf, searchSchema, text } from "../parts/search.ts";

const filters = {
  workflow: text(/^[a-z0-9_]+$/),
  reason: text(/^[a-z_]+\.[a-z_]+$/),
  country,
  assignee: text(/^(nobody|usr_[a-z0-9]+)$/),
  overdue: flag,
};

/** Reads the filters of the queue out of an address. None of them says who an applicant is. */
export const narrowing = searchSchema(filters);
export type Narrowing = SearchOf<typeof narrowing>;

/** The search of the queue's filters, to be read beside its tab and page. */
export const filterReaders = filters;

export const isNarrowed = (search: Narrowing): boolean => Object.keys(narrowing({ ...search })).length > 0;

/** The search of the list of second looks: those that wait, unless others are asked for. */
export const qualityTabs = ["open", "done"] as const;
export const qualityTab = oneOf(["done"] as const);
