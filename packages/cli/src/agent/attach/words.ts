/** Splits input into words as a shell does: quotes keep a word together, a backslash escapes the next character. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "\\" && quote !== "'" && i + 1 < text.length) word = (word ?? "") + text.charAt(++i);
    else if (quote !== "") {
      if (character === quote) quote = "";
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (!/\s/.test(character)) word = (word ?? "") + character;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
