/** Counts equal texts: `3 503, 1 no response`. */
export const countBy = (texts: readonly string[]): string =>
  [...Map.groupBy(texts, (text) => text)]
    .map(([text, group]) => `${group.length} ${text}`)
    .join(', ') || 'none';
