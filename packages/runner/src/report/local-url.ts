const LOCAL =
  /^https?:\/\/(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?([/?#]|$)/i;

/** Whether a URL is on this machine. */
export const isLocalUrl = (url: string): boolean => LOCAL.test(url);
