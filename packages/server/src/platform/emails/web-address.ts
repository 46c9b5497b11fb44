/** The normalised URL if it uses one of the protocols; undefined for any other text. */
export function toWebAddress(
  text: string | null | undefined,
  protocols: readonly string[],
): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return protocols.includes(url.protocol) ? url.href : undefined;
}
