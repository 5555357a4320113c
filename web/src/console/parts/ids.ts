/** Returns the end of an id, which tells things of one kind apart; its beginning only says when it was made. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

/** Returns the last six characters of an id, short enough to be typed as a confirmation. */
export const tailOf = (id: string): string => id.slice(-6);
