/** A friendly name: one word of each list, which the catalogue keeps with bars between. */
export function suggestion(first: string, second: string, between: string, luck: () => number = Math.random): string {
  const one = (list: string): string => {
    const words = list.split("|");
    return words[Math.floor(luck() * words.length)] ?? "";
  };
  return one(first) + between + one(second);
}
