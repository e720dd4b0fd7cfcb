/** A player who has just pressed *play now* or *start* is ready: at that table the page sends `ready` for the first round. */
export const arrival: { ready: string | null } = { ready: null };
