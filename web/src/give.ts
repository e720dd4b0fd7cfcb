/** Something for others: by the system's own way where there is one, else it is copied. */

type Given = "shared" | "copied" | "not";

/** With a picture, where the system takes one beside it. */
export async function give(what: { text: string } | { url: string }, picture?: File): Promise<Given> {
  // Without a safe connection a browser has neither.
  const { share, clipboard } = navigator as Partial<Pick<Navigator, "share" | "clipboard">>;
  if (share !== undefined) {
    const both = picture && { ...what, files: [picture] };
    // Who closes the system's dialog has changed their mind.
    await share.call(navigator, both && navigator.canShare?.(both) ? both : what).catch(() => {});
    return "shared";
  }
  if (clipboard === undefined) return "not";
  return clipboard.writeText("text" in what ? what.text : what.url).then(
    () => "copied",
    () => "not",
  );
}

/** To be kept as a file. */
export function giveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // Only when the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
