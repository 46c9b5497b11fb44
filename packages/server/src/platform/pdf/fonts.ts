import { readFile } from 'node:fs/promises';
import type { Locale } from '@florin/contract/locales.ts';
import { create, type Font } from 'fontkit';

/** Fonts of a document: the first one with a glyph for a character draws it. */
export interface Typeface {
  readonly regular: readonly Font[];
  readonly bold: readonly Font[];
}

/** Files of the fonts. The first ones have Latin, Greek, Cyrillic, Arabic and Hebrew letters. */
const FILES = {
  regular: new URL('ttf/DejaVuSans.ttf', import.meta.resolve('dejavu-fonts-ttf/package.json')),
  bold: new URL('ttf/DejaVuSans-Bold.ttf', import.meta.resolve('dejavu-fonts-ttf/package.json')),
  japanese: new URL('../fonts/NotoSansJP-Regular.otf', import.meta.resolve('@embedpdf/fonts-jp')),
  chinese: new URL('../fonts/NotoSansHans-Regular.otf', import.meta.resolve('@embedpdf/fonts-sc')),
} as const;
type FontName = keyof typeof FILES;

/** Han, kana and their punctuation: only texts with these characters load the large fonts. */
export const EAST_ASIAN =
  /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/**
 * Loads the fonts that a text needs. Chinese and Japanese share characters whose shapes differ, so the language
 * decides which font is asked first. Loaded fonts stay in memory, since parsing takes longer than a document.
 */
export async function loadTypeface(locale: Locale, text: string): Promise<Typeface> {
  const [regular, bold] = [await load('regular'), await load('bold')];
  if (!EAST_ASIAN.test(text)) return { regular: [regular], bold: [bold] };
  const names: FontName[] = locale === 'zh' ? ['chinese', 'japanese'] : ['japanese', 'chinese'];
  const others = await Promise.all(names.map(load));
  return { regular: [regular, ...others], bold: [bold, ...others] };
}

const loadedFonts = new Map<FontName, Promise<Font>>();

function load(name: FontName): Promise<Font> {
  const font = loadedFonts.get(name) ?? read(name);
  loadedFonts.set(name, font);
  return font;
}

async function read(name: FontName): Promise<Font> {
  const font = create(await readFile(FILES[name]));
  if (!('layout' in font)) throw new Error(`${FILES[name]} is a collection of fonts`);
  return font;
}

/** Parts of a text that one font draws, in the order of the text. A character without a glyph stays with its neighbours. */
export function splitByFont(fonts: readonly Font[], text: string): { font: Font; text: string }[] {
  const parts: { font: Font; text: string }[] = [];
  for (const character of text) {
    const previous = parts.at(-1);
    const font = fontOf(fonts, character) ?? previous?.font ?? (fonts[0] as Font);
    if (previous?.font === font) previous.text += character;
    else parts.push({ font, text: character });
  }
  return parts;
}

/** The first font that has a glyph for the character. */
export const fontOf = (fonts: readonly Font[], character: string): Font | undefined =>
  fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) as number));
