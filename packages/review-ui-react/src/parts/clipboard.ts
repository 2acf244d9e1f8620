/**
 * Writes to the clipboard of the window that `element` is in: no global is read, so it is right in a frame or a
 * second window too. Rejects where there is no clipboard (an insecure page) or it is not allowed.
 */
export function clipboardOf(element: Element): (text: string) => Promise<void> {
  const clipboard = element.ownerDocument.defaultView?.navigator.clipboard;
  return async (text) => {
    if (clipboard === undefined) throw new Error('There is no clipboard here.');
    await clipboard.writeText(text);
  };
}
