const LOOPBACK_NAME = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Whether a host name, as written in a URL, means this machine. */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAME.test(name);
