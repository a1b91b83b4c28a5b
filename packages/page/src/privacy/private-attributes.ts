/** Whether an attribute of an element that the app marked private says something about what is in it. */
export const isPrivateAttribute = (name: string): boolean =>
  /^(?:value|title|alt|aria-|placeholder|src|href|data-(?!bridge-mask))/.test(name);
