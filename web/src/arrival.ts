/** Who has just pressed *play now* or *start* means to play: at that table the page says ready for the first round. */
export const arrival: { ready: string | null } = { ready: null };
