import type { ColorScheme } from '@florin/contract/protocol/frame.ts';

/**
 * Whether the page around the element is dark, judged by its text colour. This covers pages that follow the system,
 * switch by a class, or have a fixed scheme.
 */
export const surroundingScheme = (element: Element): ColorScheme =>
  lightnessOf(getComputedStyle(element).color) > 0.5 ? 'dark' : 'light';

/** Approximate lightness, 0 to 1, of a colour as browsers serialise it: `rgb(…)`, `oklch(…)`, `lab(…)` and others. */
export function lightnessOf(color: string): number {
  const [first = 0, second = 0, third = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (color.startsWith('rgb')) return (first + second + third) / (3 * 255);
  if (color.startsWith('color')) return (first + second + third) / 3;
  return color.startsWith('ok') ? first : first / 100;
}
