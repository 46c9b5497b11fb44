import type { ColorScheme } from '@florin/contract/protocol/frame.ts';

/**
 * Whether the page is dark where the form goes, told by the colour of its text: that holds for pages
 * that follow the system, that switch by a class, and that know one scheme only.
 */
export const schemeAround = (element: Element): ColorScheme =>
  lightnessOf(getComputedStyle(element).color) > 0.5 ? 'dark' : 'light';

/** Rough lightness, 0 to 1, of a colour as browsers serialise it: `rgb(…)`, `oklch(…)`, `lab(…)` and such. */
export function lightnessOf(color: string): number {
  const [first = 0, second = 0, third = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (color.startsWith('rgb')) return (first + second + third) / (3 * 255);
  if (color.startsWith('color')) return (first + second + third) / 3;
  return color.startsWith('ok') ? first : first / 100;
}
