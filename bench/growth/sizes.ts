/** Parses sizes such as "10000,1000000" in ascending order. Returns a sentence if they cannot be compared. */
export function parseSizes(text: string): readonly number[] | string {
  const sizes = text.split(',').map((part) => Number(part.trim().replaceAll('_', '')));
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    return `--payments must be whole numbers with commas between them, such as 10000,1000000; it is "${text}".`;
  return [...new Set(sizes)].sort((a, b) => a - b);
}
