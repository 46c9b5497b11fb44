/** Luminance at which black and white text have equal contrast (WCAG 2.2, contrast ratio). */
const EVEN_LUMINANCE = 0.179;
const CHANNEL_MAX = 255;

/** Text colour on a `#rrggbb` background: black or white, whichever has more contrast. */
export const inkOn = (color: string): '#000000' | '#ffffff' =>
  luminanceOf(color) > EVEN_LUMINANCE ? '#000000' : '#ffffff';

/** Relative luminance of a colour (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linearOf(Number.parseInt(color.slice(at, at + 2), 16) / CHANNEL_MAX),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linearOf = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
