import type { Parse } from '../scripts/options.ts';

interface Named {
  readonly name: string;
}

/** Reads the things whose names contain a text in upper or lower case. Otherwise throws an error with all names. */
export const chooseSome =
  <Item extends Named>(items: readonly Item[], kind: string): Parse<readonly Item[]> =>
  (text, option) => {
    const matches = matchesOf(items, text);
    if (matches.length > 0) return matches;
    throw new Error(listNames(`No ${kind} has "${text}" in its name.`, option, items));
  };

/** Reads the one thing whose name is, or contains, a text. Throws an error with the names if none or several do. */
export const chooseOne =
  <Item extends Named>(items: readonly Item[], kind: string): Parse<Item> =>
  (text, option) => {
    const matches = chooseSome(items, kind)(text, option);
    const item = matches.find(({ name }) => name === text) ?? matches[0];
    if (item && (matches.length === 1 || item.name === text)) return item;
    throw new Error(listNames(`Several ${kind}s have "${text}" in the name.`, option, matches));
  };

const matchesOf = <Item extends Named>(items: readonly Item[], text: string): Item[] =>
  items.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));

const listNames = (problem: string, option: string, items: readonly Named[]): string =>
  [`${problem} Choose from these with ${option}:`, ...items.map(({ name }) => `  ${name}`)].join(
    '\n',
  );
