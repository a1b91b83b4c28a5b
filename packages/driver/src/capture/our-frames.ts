/** When the extension shows the page's console in a terminal, its script is between the page and the browser. */
const OUR_SCRIPTS = "debug-bridge://";

interface Stack {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: Stack;
}

export const isOurScript = (url: string): boolean => url.startsWith(OUR_SCRIPTS);

/** Whether an event may have our frames in it, by its text. */
export const namesOurScripts = (text: string): boolean => text.includes(OUR_SCRIPTS);

/** A stack as it would be without our script. */
export function withoutOurFrames<Given extends Stack>(stack: Given): Given {
  return {
    ...stack,
    callFrames: stack.callFrames.filter(({ url }) => !isOurScript(url)),
    ...(stack.parent ? { parent: withoutOurFrames(stack.parent) } : {}),
  };
}
