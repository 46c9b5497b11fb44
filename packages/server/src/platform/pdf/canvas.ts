import { Buffer } from 'node:buffer';
import { directionOf, type Locale } from '@florin/contract/locales.ts';
import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { EAST_ASIAN, splitByFont, type Typeface } from './fonts.ts';
import { visualRuns } from './visual-runs.ts';
import { wrapText } from './wrap.ts';

/** Size of an A4 page in points. */
export const PAGE = { width: 595.28, height: 841.89 } as const;

/** Metadata of a document. The dates of a PDF are fixed by `at`, so that equal contents are equal bytes. */
export interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  readonly at: Date;
}

/** A text in a box. `start` is left in languages from left to right. */
export interface TextBox {
  readonly text: string;
  /** Distance from the side where reading starts. */
  readonly start: number;
  readonly width: number;
  readonly y: number;
  readonly size: number;
  readonly align?: 'start' | 'end';
  readonly bold?: boolean;
  readonly color?: string;
}

/** A PNG or JPEG in a box. */
export interface ImageBox extends Pick<TextBox, 'start' | 'width' | 'y'> {
  readonly bytes: Uint8Array;
  readonly height: number;
}

/** Height of a line, as a multiple of the font size. */
const LINE_HEIGHT = 1.4;
const INK = '#16191d';
/**
 * The text is mirrored already. With features, pdfkit lays out whole texts: it would split them at spaces, which
 * reverses the words of languages from right to left.
 */
const FEATURES = { rtlm: false } as unknown as [];

/** Draws texts and rules onto pages, mirrored for languages from right to left. */
export interface Canvas {
  /** Draws a text with line breaks. Returns its height. */
  text(box: TextBox): number;
  /** Height of a text, without drawing it. */
  heightOf(box: Omit<TextBox, 'y'>): number;
  rule(box: Pick<TextBox, 'start' | 'width' | 'y'>, color: string, thickness?: number): void;
  /** Draws a PNG or JPEG at the end side of a box, as large as the box allows. */
  image(box: ImageBox): void;
  addPage(): void;
  /** Draws on each page, after all pages are known. */
  onEachPage(draw: (page: number, pages: number) => void): void;
  finish(): Promise<Buffer>;
}

const createPdf = (locale: Locale, info: DocumentInfo): PDFKit.PDFDocument =>
  new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    lang: locale,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: info.title,
      Author: info.author,
      Producer: '',
      Creator: '',
      CreationDate: info.at,
    },
  });

export function createCanvas(locale: Locale, typeface: Typeface, info: DocumentInfo): Canvas {
  const pdf = createPdf(locale, info);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const isMirrored = directionOf(locale) === 'rtl';
  const leftOf = (start: number, width: number): number =>
    isMirrored ? PAGE.width - start - width : start;
  const draw = (line: string, at: TextBox, y: number): void => {
    const parts = partsOf(line, fontsFor(typeface, at), isMirrored);
    const width = widthOf(parts, at.size);
    const isLeft = (at.align === 'end') === isMirrored;
    let x = leftOf(at.start, at.width) + (isLeft ? 0 : at.width - width);
    for (const part of parts) {
      pdf
        .font(part.font as never)
        .fontSize(at.size)
        .fillColor(at.color ?? INK);
      pdf.text(part.text, x, y, { lineBreak: false, features: FEATURES, baseline: 'alphabetic' });
      x += widthOf([part], at.size);
    }
  };
  const wordWidths = new Map<string, number>();
  const widthOfWord = (word: string, box: Omit<TextBox, 'y'>): number => {
    const key = `${fontsFor(typeface, box) === typeface.bold} ${word}`;
    const width =
      wordWidths.get(key) ?? widthOf(partsOf(word, fontsFor(typeface, box), isMirrored), 1);
    wordWidths.set(key, width);
    return width * box.size;
  };
  const linesOf = (box: Omit<TextBox, 'y'>): string[] =>
    wrapText(box.text, box.width, (word) => widthOfWord(word, box));
  return {
    text(box) {
      const lines = linesOf(box);
      for (const [at, line] of lines.entries())
        draw(line, box, box.y + box.size * (1 + LINE_HEIGHT * at));
      return lines.length * box.size * LINE_HEIGHT;
    },
    heightOf: (box) => linesOf(box).length * box.size * LINE_HEIGHT,
    rule({ start, width, y }, color, thickness = 0.5) {
      pdf.rect(leftOf(start, width), y, width, thickness).fill(color);
    },
    image({ bytes, start, width, height, y }) {
      const align = isMirrored ? undefined : 'right';
      pdf.image(Buffer.from(bytes) as never, leftOf(start, width), y, {
        fit: [width, height],
        ...(align && { align }),
      });
    },
    addPage: () => void pdf.addPage(),
    onEachPage(drawPage) {
      const { start, count } = pdf.bufferedPageRange();
      for (let page = 0; page < count; page++) {
        pdf.switchToPage(start + page);
        drawPage(page + 1, count);
      }
    },
    async finish() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      pdf.on('end', resolve).on('error', reject).end();
      await promise;
      return Buffer.concat(chunks);
    },
  };
}

/** East Asian letters have one weight. A text with some is drawn with it alone. */
const fontsFor = ({ regular, bold }: Typeface, box: Omit<TextBox, 'y'>): readonly Font[] =>
  box.bold && !EAST_ASIAN.test(box.text) ? bold : regular;

interface Part {
  readonly font: Font;
  readonly text: string;
}

/** Parts of a line from left to right, each with one font and direction. */
const partsOf = (line: string, fonts: readonly Font[], isMirrored: boolean): Part[] =>
  visualRuns(line, isMirrored ? 'rtl' : 'ltr').flatMap(({ text, direction }) => {
    const parts = splitByFont(fonts, text);
    return direction === 'rtl' ? parts.reverse().map(asShaped) : parts;
  });

const RIGHT_TO_LEFT_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The font reverses letters from right to left itself; a part without such letters has to be reversed. */
const asShaped = (part: Part): Part =>
  RIGHT_TO_LEFT_LETTER.test(part.text)
    ? part
    : { ...part, text: [...part.text].reverse().join('') };

const widthOf = (parts: readonly Part[], size: number): number =>
  parts.reduce((sum, { font, text }) => {
    const { advanceWidth } = font.layout(text, FEATURES);
    return sum + (advanceWidth / font.unitsPerEm) * size;
  }, 0);
