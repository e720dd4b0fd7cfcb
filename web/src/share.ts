/** Shares something: by the system's share dialog if there is one, otherwise by copying it. */

type ShareOutcome = "shared" | "copied" | "not";

/** With a picture, if the system accepts one. */
export async function shareOrCopy(what: { text: string } | { url: string }, picture?: File): Promise<ShareOutcome> {
  // Without a safe connection a browser has neither.
  const { share, clipboard } = navigator as Partial<Pick<Navigator, "share" | "clipboard">>;
  if (share !== undefined) {
    const both = picture && { ...what, files: [picture] };
    // Closing the system's dialog cancels.
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
export function downloadFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // Only when the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
