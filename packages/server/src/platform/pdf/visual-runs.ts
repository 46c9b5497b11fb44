import bidiModule from 'bidi-js';

/** The package exports the function itself, although its types name a default export. */
const createBidi = bidiModule as unknown as typeof bidiModule.default;
const bidi = createBidi();

/** Characters that only steer the direction. Fonts may draw them. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A piece of a line with one direction, in the order in which it is drawn from left to right. */
export interface VisualRun {
  readonly text: string;
  readonly direction: 'rtl' | 'ltr';
}

/** Characters that have a direction. */
const STRONG = /[\p{L}\u061c\u200e\u200f]/u;

/**
 * Pieces of a line from left to right (Unicode bidirectional algorithm). The first letter decides the direction of the
 * line, and `direction` where there is none. Brackets of right-to-left pieces are mirrored.
 */
export function visualRuns(text: string, direction: 'rtl' | 'ltr'): VisualRun[] {
  const { levels } = bidi.getEmbeddingLevels(text, STRONG.test(text) ? 'auto' : direction);
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  const runs = runsOf(text, levels, mirrored);
  const levelMax = Math.max(0, ...runs.map(({ level }) => level));
  // Reverses neighbours from the highest level down to the lowest odd one (UAX #9, rule L2).
  for (let level = levelMax; level >= 1; level--) reverseFrom(runs, level);
  return runs.map(({ text, level }) => ({
    text: text.replace(CONTROLS, ''),
    direction: level % 2 === 1 ? 'rtl' : 'ltr',
  }));
}

interface LevelRun {
  readonly level: number;
  readonly text: string;
}

/** Pieces with one level, in reading order. */
function runsOf(
  text: string,
  levels: Uint8Array,
  mirrored: ReadonlyMap<number, string>,
): LevelRun[] {
  const runs: LevelRun[] = [];
  let start = 0;
  for (let end = 1; end <= text.length; end++) {
    if (end < text.length && levels[end] === levels[start]) continue;
    const characters = [...text.slice(start, end)];
    const level = levels[start] ?? 0;
    let at = start;
    const shown = characters.map((character) => {
      const replacement = mirrored.get(at);
      at += character.length;
      return replacement ?? character;
    });
    runs.push({ level, text: shown.join('') });
    start = end;
  }
  return runs;
}

/** Reverses each sequence of neighbours whose level is at least `level`. */
function reverseFrom(runs: LevelRun[], level: number): void {
  let start = 0;
  while (start < runs.length) {
    let end = start;
    while ((runs[end]?.level ?? -1) >= level) end++;
    if (end > start + 1) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = Math.max(end, start + 1);
  }
}
