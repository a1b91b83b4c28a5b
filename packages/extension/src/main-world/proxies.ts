/** What a proxy stands for, when it is known; `undefined` for any other value. */
export function targetOf(_value: object): object | undefined {
  return undefined;
}
