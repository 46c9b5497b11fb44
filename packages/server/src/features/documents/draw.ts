import type { Buffer } from 'node:buffer';
import { type Canvas, createCanvas, PAGE } from '../../platform/pdf/canvas.ts';
import { loadTypeface } from '../../platform/pdf/fonts.ts';
import type { DocumentContent, ItemCells, LabelledValue } from './compose.ts';

const MARGIN = 56;
const WIDTH = PAGE.width - 2 * MARGIN;
/** Lowest place of content. The footer is below. */
const BOTTOM = PAGE.height - 96;
const FOOTER_Y = PAGE.height - 64;
const GREY = '#59626d';
const RULE = '#d5dae0';
const HALF = WIDTH / 2;
const SUM_LABEL_START = MARGIN + WIDTH * 0.4;

/** Start and width of the columns of items. */
const COLUMNS = [
  { start: MARGIN, width: WIDTH * 0.46 },
  { start: MARGIN + WIDTH * 0.48, width: WIDTH * 0.12 },
  { start: MARGIN + WIDTH * 0.61, width: WIDTH * 0.18 },
  { start: MARGIN + WIDTH * 0.8, width: WIDTH * 0.2 },
] as const;

/** Draws a document as PDF. Equal contents give equal bytes. */
export async function drawDocument(content: DocumentContent): Promise<Buffer> {
  const { locale, title, number, brand, issued_on } = content;
  const { logo: _, ...texts } = content;
  const typeface = await loadTypeface(locale, JSON.stringify(texts));
  const info = { title: `${title} ${number}`, author: brand.name, at: issued_on };
  const canvas = createCanvas(locale, typeface, info);
  let y = drawTitle(canvas, content);
  y = drawHeads(canvas, content.heads, y);
  y = drawParties(canvas, content, y);
  y = drawItems(canvas, content, y);
  y = drawSums(canvas, content, y);
  for (const note of content.notes)
    y += canvas.text({ text: note, start: MARGIN, width: WIDTH, y: y + 20, size: 9, color: GREY });
  canvas.onEachPage((page, pages) => drawFooter(canvas, content, content.pageText(page, pages)));
  return canvas.finish();
}

/** Largest size of a logo. */
const LOGO = { width: 160, height: 56 } as const;

function drawTitle(canvas: Canvas, { title, brand, logo }: DocumentContent): number {
  canvas.rule({ start: 0, width: PAGE.width, y: 0 }, brand.color, 6);
  const size = 22;
  canvas.text({ text: title, start: MARGIN, width: HALF, y: MARGIN, size, bold: true });
  const height = logo ? drawLogo(canvas, logo) : drawName(canvas, brand.name);
  return MARGIN + Math.max(height, 40) + 8;
}

function drawLogo(canvas: Canvas, bytes: Uint8Array): number {
  canvas.image({ bytes, start: MARGIN + WIDTH - LOGO.width, y: MARGIN, ...LOGO });
  return LOGO.height;
}

const drawName = (canvas: Canvas, text: string): number =>
  canvas.text({
    text,
    start: MARGIN + HALF,
    width: HALF,
    y: MARGIN + 4,
    size: 14,
    align: 'end',
  });

function drawHeads(canvas: Canvas, heads: readonly LabelledValue[], top: number): number {
  let y = top;
  for (const { label, value } of heads) {
    const labelHeight = canvas.text({ ...lineAt(y), text: label, width: 140, color: GREY });
    const valueHeight = canvas.text({
      ...lineAt(y),
      text: value,
      start: MARGIN + 150,
      width: WIDTH - 150,
    });
    y += Math.max(labelHeight, valueHeight) + 2;
  }
  return y + 20;
}

const lineAt = (y: number) => ({ start: MARGIN, width: WIDTH, y, size: 10 }) as const;

function drawParties(canvas: Canvas, { parties }: DocumentContent, top: number): number {
  const bottoms = parties.map(({ label, lines }, at) => {
    const box = { start: MARGIN + at * HALF, width: HALF - 16, size: 10 };
    let y = top + canvas.text({ ...box, text: label, y: top, color: GREY }) + 2;
    for (const [index, text] of lines.entries())
      y += canvas.text({ ...box, text, y, bold: index === 0 });
    return y;
  });
  return Math.max(top, ...bottoms) + 24;
}

/** Draws the items as a table, which continues on further pages with its heading. */
function drawItems(canvas: Canvas, { items, columns }: DocumentContent, top: number): number {
  if (items.length === 0) return top;
  let y = drawColumns(canvas, columns, top);
  for (const item of items) {
    if (y + heightOf(canvas, item) > BOTTOM) {
      canvas.addPage();
      y = drawColumns(canvas, columns, MARGIN);
    }
    y = drawCells(canvas, item, y);
  }
  return y;
}

function drawColumns(canvas: Canvas, columns: ItemCells, y: number): number {
  const bottom = drawCells(canvas, columns, y, { size: 9, color: GREY });
  canvas.rule({ start: MARGIN, width: WIDTH, y: bottom }, RULE, 1);
  return bottom + 1;
}

const CELL_PADDING = 6;

function drawCells(
  canvas: Canvas,
  cells: ItemCells,
  y: number,
  style: { readonly size: number; readonly color?: string } = { size: 10 },
): number {
  const heights = cells.map((text, at) =>
    canvas.text({
      ...(COLUMNS[at] as (typeof COLUMNS)[0]),
      ...style,
      text,
      y: y + CELL_PADDING,
      align: at === 0 ? 'start' : 'end',
    }),
  );
  const bottom = y + Math.max(...heights) + 2 * CELL_PADDING;
  canvas.rule({ start: MARGIN, width: WIDTH, y: bottom }, RULE);
  return bottom;
}

const heightOf = (canvas: Canvas, cells: ItemCells): number =>
  Math.max(
    ...cells.map((text, at) =>
      canvas.heightOf({ ...(COLUMNS[at] as (typeof COLUMNS)[0]), text, size: 10 }),
    ),
  ) +
  2 * CELL_PADDING;

/** Draws the sums and the total at the end side, together on one page. */
function drawSums(canvas: Canvas, content: DocumentContent, top: number): number {
  const { sums, total, below_total } = content;
  const height = (sums.length + below_total.length + 2) * 20 + 40;
  let y = top + 10;
  if (y + height > BOTTOM) {
    canvas.addPage();
    y = MARGIN;
  }
  for (const sum of sums) y = drawSum(canvas, sum, y);
  canvas.rule({ start: SUM_LABEL_START, width: WIDTH * 0.6, y }, content.brand.color, 1.5);
  y = drawSum(canvas, total, y + 4, { size: 13, bold: true });
  for (const sum of below_total) y = drawSum(canvas, sum, y, { size: 9, color: GREY });
  return y;
}

function drawSum(
  canvas: Canvas,
  { label, value }: LabelledValue,
  y: number,
  style: { readonly size: number; readonly bold?: boolean; readonly color?: string } = { size: 10 },
): number {
  const half = WIDTH * 0.3;
  const labelHeight = canvas.text({
    ...style,
    text: label,
    start: SUM_LABEL_START,
    width: half,
    y,
  });
  const valueHeight = canvas.text({
    ...style,
    text: value,
    start: SUM_LABEL_START + half,
    width: half,
    y,
    align: 'end',
  });
  return y + Math.max(labelHeight, valueHeight) + 4;
}

function drawFooter(canvas: Canvas, content: DocumentContent, pageText: string): void {
  const line = { start: MARGIN, width: HALF, y: FOOTER_Y, size: 8, color: GREY };
  canvas.rule({ start: MARGIN, width: WIDTH, y: FOOTER_Y - 8 }, RULE);
  canvas.text({ ...line, text: `${content.title} ${content.number}` });
  canvas.text({ ...line, text: pageText, start: MARGIN + HALF, align: 'end' });
}
