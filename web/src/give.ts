/** Something for others: by the system's own way where there is one, else it is copied. */

type Given = "shared" | "copied" | "not";

export async function give(what: { text: string } | { url: string }): Promise<Given> {
  // Without a safe connection a browser has neither.
  const { share, clipboard } = navigator as Partial<Pick<Navigator, "share" | "clipboard">>;
  if (share !== undefined) {
    // Who closes the system's dialog has changed their mind.
    await share.call(navigator, what).catch(() => {});
    return "shared";
  }
  if (clipboard === undefined) return "not";
  return clipboard.writeText("text" in what ? what.text : what.url).then(
    () => "copied",
    () => "not",
  );
}
