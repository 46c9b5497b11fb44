/** Number of compared characters of a long text. */
const COMPARED_MAX = 100;

/**
 * Share of correct characters that a name needs if it has no pair of characters in common with the
 * text.
 */
const MOSTLY_RIGHT = 0.5;

/**
 * Names most similar to a text, best first, without unrelated names. Ignores case. Compares pairs
 * of neighbouring characters (Sørensen–Dice), or counts wrong, missing and swapped characters.
 */
export function findNearest(text: string, names: readonly string[], count = 3): readonly string[] {
  const compared = text.slice(0, COMPARED_MAX).toLowerCase();
  const pairs = pairsOf(compared);
  const similarity = (name: string): number => {
    const editSimilarity =
      1 - editDistance(compared, name.toLowerCase()) / Math.max(compared.length, name.length);
    return Math.max(
      similarityOf(pairs, pairsOf(name)),
      editSimilarity < MOSTLY_RIGHT ? 0 : editSimilarity,
    );
  };
  return names
    .map((name) => ({ name, similarity: similarity(name) }))
    .filter(({ similarity }) => similarity > 0)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Share of characters of a misspelt name that may be wrong; one always may. */
const WRONG_SHARE = 0.2;

/** Whether a text is one of the names with a few typing errors. Ignores case. */
export function isMisspelt(text: string, names: Iterable<string>): boolean {
  const compared = text.toLowerCase();
  for (const name of names) {
    const errors_max = Math.max(1, Math.floor(name.length * WRONG_SHARE));
    if (Math.abs(name.length - text.length) > errors_max) continue;
    if (editDistance(compared, name.toLowerCase()) <= errors_max) return true;
  }
  return false;
}

function pairsOf(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  return new Set(Array.from({ length: lower.length - 1 }, (_, at) => lower.slice(at, at + 2)));
}

function similarityOf(pairs: ReadonlySet<string>, otherPairs: ReadonlySet<string>): number {
  let commonCount = 0;
  for (const pair of pairs) if (otherPairs.has(pair)) commonCount += 1;
  return commonCount === 0 ? 0 : (2 * commonCount) / (pairs.size + otherPairs.size);
}

/** Edit distance that counts a swap as one edit (optimal string alignment). */
function editDistance(text: string, otherText: string): number {
  let rowAbove: number[] = [];
  let row = Array.from({ length: otherText.length + 1 }, (_, at) => at);
  for (let i = 1; i <= text.length; i++) {
    const currentRow = [i];
    for (let j = 1; j <= otherText.length; j++) {
      const replacementCost = text[i - 1] === otherText[j - 1] ? 0 : 1;
      const isSwap =
        i > 1 && j > 1 && text[i - 1] === otherText[j - 2] && text[i - 2] === otherText[j - 1];
      const steps = [
        (row[j] ?? 0) + 1,
        (currentRow[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + replacementCost,
      ];
      currentRow.push(Math.min(...steps, ...(isSwap ? [(rowAbove[j - 2] ?? 0) + 1] : [])));
    }
    [rowAbove, row] = [row, currentRow];
  }
  return row.at(-1) ?? 0;
}
