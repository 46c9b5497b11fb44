/** Of a longer text no more is compared. */
const COMPARED_MAX = 100;

/**
 * The names most like a text that is none of them, the best first; none that has nothing in common with it. Names are
 * alike by the pairs of neighbouring characters that both have (Sørensen–Dice), whatever their case.
 */
export function nearest(text: string, names: readonly string[], count = 3): readonly string[] {
  const pairs = pairsOf(text.slice(0, COMPARED_MAX));
  return names
    .map((name) => ({ name, likeness: likenessOf(pairs, pairsOf(name)) }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, count)
    .map(({ name }) => name);
}

function pairsOf(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  return new Set(Array.from({ length: lower.length - 1 }, (_, at) => lower.slice(at, at + 2)));
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const pair of one) if (other.has(pair)) both += 1;
  return both === 0 ? 0 : (2 * both) / (one.size + other.size);
}
