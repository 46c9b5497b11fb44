import type { Appearance } from '@florin/contract/protocol/frame.ts';

interface Variable {
  /** Name of the custom property in the style sheet. */
  readonly property: string;
  fits(value: string): boolean;
}

const COLOR =
  /^(#[\da-f]{3,8}|[a-z]{3,24}|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/deg+-]{1,60}\))$/i;
const isColor = (value: string): boolean => COLOR.test(value) && CSS.supports('color', value);

const PIXELS_PER_REM = 16;
const isLength = (value: string, min: number, max: number): boolean => {
  const [, number = '', unit] = /^(\d{1,2}(?:\.\d{1,4})?)(px|rem)$/.exec(value) ?? [];
  const pixels = Number(number) * (unit === 'rem' ? PIXELS_PER_REM : 1);
  return number !== '' && pixels >= min && pixels <= max;
};

/** Minimum and maximum text size in pixels. Smaller text is hard to read. */
const FONT_PIXELS: readonly [number, number] = [14, 24];
const RADIUS_PIXELS_MAX = 32;

const variables: Readonly<Record<keyof Appearance, Variable>> = {
  color: { property: '--text', fits: isColor },
  background: { property: '--box', fits: isColor },
  accent: { property: '--accent', fits: isColor },
  radius: {
    property: '--radius',
    fits: (value) => value === '0' || isLength(value, 0, RADIUS_PIXELS_MAX),
  },
  fontSize: { property: '--size', fits: (value) => isLength(value, ...FONT_PIXELS) },
};

/** Repeats an option in a warning only if it looks like a name, so that a typing error can be found. */
const nameOf = (option: string): string => (/^\w{1,30}$/.test(option) ? option : '…');

/** Sets the variables of the form's style. Skips unknown and invalid options and names them in the console. */
export function applyAppearance(style: CSSStyleDeclaration, appearance: Appearance): void {
  for (const [name, value] of Object.entries(appearance)) {
    const variable = Object.hasOwn(variables, name)
      ? variables[name as keyof Appearance]
      : undefined;
    if (typeof value === 'string' && variable?.fits(value))
      style.setProperty(variable.property, value);
    else console.warn(`Florin: option "appearance.${nameOf(name)}" cannot be used.`);
  }
}
