/** One part of a language's texts: web/words.ts makes them. */
declare module "virtual:words/*" {
  const texts: import("./say").Catalogue;
  export default texts;
}
